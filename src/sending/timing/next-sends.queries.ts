import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { accountFacts, type AccountFacts, campaignDay, type CampaignFacts, campaignFacts } from '../rules/index.js';

/** A running enrollment, as it is stored. */
export interface WaitingRow {
  readonly id: number;
  readonly contact_id: number;
  readonly due_at: Date | null;
  /** Its step is due, and `due_at` is when the window of its contact opens. */
  readonly is_postponed: boolean;
  readonly email_account_id: number | null;
  readonly message_id: number | null;
  readonly message_status: string | null;
  /** It has no step, because its campaign has none. */
  readonly lacks_step: boolean;
  /** The message of its step, which is not queued and not due, may have been sent. */
  readonly is_unknown: boolean;
  readonly is_claimed: boolean;
  readonly reason: string | null;
  /** Null if it is infinite. */
  readonly next_attempt_at: Date | null;
  /** The limit of new contacts of the campaign, if the enrollment needs a place among them and has none. */
  readonly max_new_contacts: number | null;
}

/** The campaign of an enrollment, with the time of the database. */
type WaitingCampaign = CampaignFacts & { readonly now: Date };

/** Returns what running enrollments wait for, and the campaign with the time of the database. */
export async function waitingRows(
  scope: WorkspaceScope,
  campaignId: number,
  enrollmentIds: readonly number[],
): Promise<(WaitingRow & WaitingCampaign)[]> {
  const rows = await scope.query<WaitingRow & WaitingCampaign & { readonly new_on: string | null }>(
    sql`SELECT enrollment.id, enrollment.contact_id, ${campaignFacts},
          ${scope.now} AS now, due.due_at, coalesce(due.due_at = due.postponed_until, FALSE) AS is_postponed,
          coalesce(message.email_account_id, due.email_account_id, enrollment.email_account_id) AS email_account_id,
          message.id AS message_id, message.status AS message_status,
          enrollment.current_step_id IS NULL AND NOT EXISTS (
            SELECT 1 FROM campaign_steps step
            WHERE step.workspace_id = ${scope} AND step.campaign_id = ${campaignId}) AS lacks_step,
          message.id IS NULL AND due.enrollment_id IS NULL AND EXISTS (
            SELECT 1 FROM messages sent
            WHERE sent.workspace_id = ${scope} AND sent.enrollment_id = enrollment.id
              AND sent.step_id = enrollment.current_step_id AND sent.status = 'unknown') AS is_unknown,
          coalesce(message.lease_until > ${sql.realNow}, FALSE) AS is_claimed, message.reason,
          CASE WHEN isfinite(message.next_attempt_at) THEN message.next_attempt_at END AS next_attempt_at,
          message.new_on::text AS new_on,
          CASE WHEN enrollment.status = 'pending' THEN campaign.max_new_contacts_per_day END AS max_new_contacts
        FROM enrollments enrollment
        JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = ${campaignId}
        LEFT JOIN due_steps due ON due.workspace_id = ${scope} AND due.enrollment_id = enrollment.id
        LEFT JOIN queued_messages message ON message.workspace_id = ${scope} AND message.enrollment_id = enrollment.id
          AND message.step_id = enrollment.current_step_id
        WHERE enrollment.workspace_id = ${scope} AND enrollment.id = ANY(${[...enrollmentIds]}::bigint[])`,
  );
  return rows.map((row) => (hasPlace(row) ? { ...row, max_new_contacts: null } : row));
}

/**
 * Whether the first message is reserved for today or later. `-infinity`, a reservation that was revoked, comes before every day.
 */
const hasPlace = ({ new_on: day, schedule, now }: WaitingCampaign & { readonly new_on: string | null }): boolean =>
  day !== null && day >= campaignDay(schedule, now);

/** An account that sends for a campaign. */
export type SenderFacts = AccountFacts & {
  /** Whether the campaign assigns new contacts to it. */
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
  return scope.query<SenderFacts & Record<string, unknown>>(
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
