import type { Campaign } from '../../campaigns/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import {
  type AccountFacts,
  accountFacts,
  type CampaignFacts,
  campaignFacts,
  type ContactFacts,
  enrolledFacts,
  factTables,
  type StartFacts,
} from '../rules/index.js';

/** A running enrollment, as it is stored, with the facts of its contact. */
export type WaitingRow = StartFacts &
  ContactFacts &
  CampaignFacts & {
    readonly id: number;
    readonly due_at: Date | null;
    /** Its step is due, and `due_at` is when the window of its contact opens. */
    readonly is_postponed: boolean;
    readonly email_account_id: number | null;
    readonly message_id: number | null;
    readonly message_status: string | null;
    readonly is_claimed: boolean;
    readonly reason: string | null;
    /** Null if it is infinite. */
    readonly next_attempt_at: Date | null;
    /** The time of the database. */
    readonly now: Date;
  };

/** Returns what running enrollments of a campaign wait for. */
export function waitingRows(
  scope: WorkspaceScope,
  campaign: Campaign,
  enrollmentIds: readonly number[],
): Promise<WaitingRow[]> {
  const which = sql`enrollment.workspace_id = ${scope} AND enrollment.id = ANY(${[...enrollmentIds]}::bigint[])`;
  const { tables, columns, joins } = factTables(scope, campaign);
  return scope.query<WaitingRow>(
    sql`WITH recipient AS MATERIALIZED (
          SELECT enrollment.contact_id, NULL::bigint AS step_id, FALSE AS has_requirements
          FROM enrollments enrollment WHERE ${which}
        )${tables}
        SELECT enrollment.id, ${campaignFacts},
          ${scope.now} AS now, due.due_at, coalesce(due.due_at = due.postponed_until, FALSE) AS is_postponed,
          coalesce(message.email_account_id, due.email_account_id, enrollment.email_account_id) AS email_account_id,
          message.id AS message_id, message.status AS message_status,
          coalesce(message.lease_until > ${sql.realNow}, FALSE) AS is_claimed, message.reason,
          CASE WHEN isfinite(message.next_attempt_at) THEN message.next_attempt_at END AS next_attempt_at,
          ${enrolledFacts(scope)}${columns}
        FROM enrollments enrollment
        JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = ${campaign.id}
        JOIN recipient ON recipient.contact_id = enrollment.contact_id${joins}
        LEFT JOIN due_steps due ON due.workspace_id = ${scope} AND due.enrollment_id = enrollment.id
        LEFT JOIN queued_messages message ON message.workspace_id = ${scope} AND message.enrollment_id = enrollment.id
          AND message.step_id = enrollment.current_step_id
        WHERE ${which}`,
  );
}

export type SenderFacts = AccountFacts & {
  readonly in_rotation: boolean;
};

/**
 * Returns the accounts of a campaign's rotation and those with these IDs. The rotation of a campaign without own accounts is
 * the default one.
 */
export function senderFacts(
  scope: WorkspaceScope,
  campaignId: number,
  accountIds: readonly number[],
): Promise<SenderFacts[]> {
  return scope.query<SenderFacts>(
    sql`WITH own AS MATERIALIZED (
          SELECT email_account_id FROM campaign_accounts WHERE workspace_id = ${scope} AND campaign_id = ${campaignId}
        ), sender AS (
          SELECT ${accountFacts(scope)}, CASE
            WHEN EXISTS (SELECT 1 FROM own) THEN account.id IN (SELECT email_account_id FROM own)
            ELSE account.is_default END AS in_rotation
          FROM email_accounts account WHERE account.workspace_id = ${scope}
        )
        SELECT * FROM sender WHERE in_rotation OR id = ANY(${[...accountIds]}::bigint[]) ORDER BY id`,
  );
}
