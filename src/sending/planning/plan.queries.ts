import { sentTodayOf } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** How many messages of a campaign may be queued for one account. Further due enrollments are planned later. */
const MAX_WAITING = 1000;
const BATCH = 500;

/** What the planner of a campaign needs to know of an account. */
export interface AccountCapacity {
  readonly id: number;
  /** Whether the campaign assigns new contacts to it. */
  readonly in_rotation: boolean;
  /** Active and under its daily limit. */
  readonly usable: boolean;
  /** How many more messages of the campaign may be queued for it. */
  readonly capacity: number;
}

/** An enrollment whose step was due. `planned` is false if a message for that step exists already. */
export interface Planned {
  readonly enrollment_id: number;
  readonly step_id: number;
  readonly email_account_id: number;
  readonly planned: boolean;
}

/** Returns the accounts of the workspace. The rotation has those of the campaign, or else the default account. */
export function accountCapacities(scope: WorkspaceScope, campaignId: number): Promise<AccountCapacity[]> {
  return scope.query<AccountCapacity>(
    sql`WITH own AS (
          SELECT email_account_id FROM campaign_accounts WHERE workspace_id = ${scope} AND campaign_id = ${campaignId}
        )
        SELECT account.id,
          CASE WHEN EXISTS (SELECT 1 FROM own) THEN account.id IN (SELECT email_account_id FROM own)
               ELSE account.is_default END AS in_rotation,
          account.is_active AND account.daily_limit > ${sentTodayOf('account')} AS usable,
          ${MAX_WAITING}::int - (
            SELECT count(*)::int FROM (
              SELECT 1 FROM messages message
              WHERE message.workspace_id = ${scope} AND message.campaign_id = ${campaignId}
                AND message.email_account_id = account.id AND message.status IN ('queued', 'sending')
              LIMIT ${MAX_WAITING}) waiting) AS capacity
        FROM email_accounts account WHERE account.workspace_id = ${scope} ORDER BY account.id`,
  );
}

/** The accounts that messages can be queued for. */
export interface PlanningCapacity {
  /** Accounts with capacity, for contacts that one of them has written to before. */
  readonly senders: readonly AccountCapacity[];
  /** Accounts that new contacts are assigned to, one after the other. */
  readonly rotation: readonly AccountCapacity[];
}

/**
 * Inserts a queued message for each due enrollment of the campaign, up to the capacity of its account. The enrollments
 * are selected per account, so that an account without capacity does not block the others.
 */
export function planDue(scope: WorkspaceScope, campaignId: number, capacity: PlanningCapacity): Promise<Planned[]> {
  const dueNow = sql`enrollment.workspace_id = ${scope} AND enrollment.campaign_id = ${campaignId}
    AND enrollment.next_due_at <= now() AND enrollment.status IN ('pending', 'in_progress')
    AND enrollment.current_step_id IS NOT NULL`;
  return scope.query<Planned>(
    sql`WITH known AS (${dueWithSender(dueNow, capacity.senders)}), fresh AS (${dueWithoutSender(dueNow, capacity.rotation)}),
        due AS (SELECT * FROM known UNION ALL SELECT * FROM fresh),
        written AS (
          INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id)
          SELECT ${scope}, ${campaignId}, due.id, due.contact_id, due.step_id, due.email_account_id FROM due
          ON CONFLICT (workspace_id, enrollment_id, step_id) DO NOTHING RETURNING enrollment_id
        ), updated AS (
          UPDATE enrollments enrollment SET next_due_at = NULL, email_account_id = due.email_account_id
          FROM due WHERE enrollment.workspace_id = ${scope} AND enrollment.id = due.id
        )
        SELECT due.id AS enrollment_id, due.step_id, due.email_account_id, written.enrollment_id IS NOT NULL AS planned
        FROM due LEFT JOIN written ON written.enrollment_id = due.id`,
  );
}

/** Selects due enrollments that have an account, up to its capacity. */
const dueWithSender = (dueNow: Sql, senders: readonly AccountCapacity[]): Sql =>
  sql`SELECT due.*, account.id AS email_account_id
      FROM unnest(${senders.map(({ id }) => id)}::bigint[], ${senders.map(({ capacity }) => capacity)}::int[])
        AS account (id, capacity)
      CROSS JOIN LATERAL (
        SELECT enrollment.id, enrollment.contact_id, enrollment.current_step_id AS step_id FROM enrollments enrollment
        WHERE ${dueNow} AND enrollment.email_account_id = account.id
        ORDER BY enrollment.next_due_at, enrollment.id LIMIT least(account.capacity, ${BATCH}::int)
        FOR UPDATE SKIP LOCKED) due`;

/** Selects due enrollments without an account, and assigns them to the accounts of the rotation by their ID. */
const dueWithoutSender = (dueNow: Sql, rotation: readonly AccountCapacity[]): Sql =>
  sql`SELECT due.*, (${rotation.map(({ id }) => id)}::bigint[])[1 + due.id % ${Math.max(rotation.length, 1)}::int] AS email_account_id
      FROM (
        SELECT enrollment.id, enrollment.contact_id, enrollment.current_step_id AS step_id FROM enrollments enrollment
        WHERE ${dueNow} AND enrollment.email_account_id IS NULL
        ORDER BY enrollment.next_due_at, enrollment.id LIMIT ${batchCapacity(rotation)} FOR UPDATE SKIP LOCKED) due`;

/** The batch is spread evenly, so its share must fit into the account with the least capacity. */
const batchCapacity = (rotation: readonly AccountCapacity[]): number =>
  rotation.length === 0 ? 0 : Math.min(BATCH, ...rotation.map(({ capacity }) => capacity * rotation.length));
