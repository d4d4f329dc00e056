import { earliestInstant } from '@outreach/time-windows';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { isLeasedByOther } from '../account-leases.queries.js';
import {
  accountFacts,
  type AccountFacts,
  type CampaignFacts,
  contactReasons,
  postponingRules,
  UNPLANNED_STEPS,
} from '../rules/index.js';

/** How many messages of a campaign may be queued for one account. Further due enrollments are planned later. */
const MAX_WAITING = 1000;

/**
 * Steps are planned for an account only if so many more messages may be queued for it. While a large campaign is sent, a batch
 * for each few messages would cost more than these: every batch counts all that wait.
 */
export const MIN_CAPACITY = 250;

/** What the planner of a campaign needs to know of an account. */
export interface AccountCapacity {
  readonly id: number;
  /** Whether the campaign assigns new contacts to it. */
  readonly in_rotation: boolean;
  /** It may send today. The gap after its last message does not matter: the contacts take turns between the accounts. */
  readonly usable: boolean;
  /** How many more messages of the campaign may be queued for it. */
  readonly capacity: number;
  /** How many more may be queued that wait for the windows of their contacts. */
  readonly closed_capacity: number;
  /** Another worker has leased it, and finds what is queued. */
  readonly is_leased: boolean;
}

/**
 * Returns the accounts of the workspace. The rotation has those of the campaign, or else the default account. What waits for
 * its contact alone, e.g. for one who is away, does not use up the capacity.
 */
export async function accountCapacities(
  scope: WorkspaceScope,
  campaign: CampaignFacts & { readonly id: number },
): Promise<AccountCapacity[]> {
  const { id: campaignId } = campaign;
  const accounts = await scope.query<AccountFacts & Omit<AccountCapacity, 'usable'>>(
    sql`WITH waiting AS (
          SELECT message.email_account_id,
            count(*) FILTER (WHERE message.reason = ANY(${[...UNPLANNED_STEPS]}::text[]))::int AS closed,
            count(*) FILTER (WHERE ${usesCapacity(reasonsOf(campaign.schedule))})::int AS messages
          FROM queued_messages message
          WHERE message.workspace_id = ${scope} AND message.campaign_id = ${campaignId} GROUP BY message.email_account_id
        )
        SELECT ${accountFacts(scope)}, ${isInRotation(scope, sql`${campaignId}::bigint`)} AS in_rotation,
          ${MAX_WAITING}::int - coalesce(waiting.messages, 0) AS capacity,
          ${MAX_WAITING}::int - coalesce(waiting.closed, 0) AS closed_capacity,
          ${isLeasedByOther} AS is_leased
        FROM email_accounts account LEFT JOIN waiting ON waiting.email_account_id = account.id
        WHERE account.workspace_id = ${scope} ORDER BY account.id`,
  );
  return accounts.map((account) => ({
    id: account.id,
    in_rotation: account.in_rotation,
    capacity: account.capacity,
    closed_capacity: account.closed_capacity,
    is_leased: account.is_leased,
    usable: earliestInstant(account.read_at, postponingRules(account)).reason === null,
  }));
}

/**
 * SQL: steps of `campaign` can be planned for `account`, whose queue is not full of its messages.
 * @param scope the workspace, or an expression for it
 */
export const hasCapacity = (scope: WorkspaceScope | Sql): Sql => sql`(
    SELECT count(*) FROM queued_messages message
    WHERE message.workspace_id = ${scope} AND message.campaign_id = campaign.id AND message.email_account_id = account.id
      AND ${usesCapacity(sql`CASE WHEN (campaign.schedule ->> 'contact_timezone')::boolean
        THEN ${reasonsOf({ contact_timezone: true })} ELSE ${reasonsOf(null)} END`)}
    ) <= ${MAX_WAITING - MIN_CAPACITY}::int`;

/** SQL: `message` does not wait for its contact alone. @param reasons those of the campaign that are about contacts */
const usesCapacity = (reasons: Sql): Sql =>
  sql`(message.reason = ANY(${reasons})) IS NOT TRUE AND NOT message.waits_for_contact`;

const reasonsOf = (schedule: Parameters<typeof contactReasons>[0]): Sql => sql`${contactReasons(schedule)}::text[]`;

/**
 * SQL: the campaign assigns new contacts to `account`.
 * @param scope the workspace, or an expression for it
 * @param campaignId an expression for the campaign
 */
export const isInRotation = (scope: WorkspaceScope | Sql, campaignId = sql`campaign.id`): Sql => {
  const own = sql`SELECT own.email_account_id FROM campaign_accounts own
    WHERE own.workspace_id = ${scope} AND own.campaign_id = ${campaignId}`;
  return sql`CASE WHEN EXISTS (${own}) THEN account.id IN (${own}) ELSE account.is_default END`;
};

export interface PlanningCapacity {
  /** Accounts with capacity, for contacts that one of them has written to before. */
  readonly senders: readonly AccountCapacity[];
  /** Accounts that new contacts are assigned to, one after the other. */
  readonly rotation: readonly AccountCapacity[];
}
