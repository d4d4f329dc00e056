import { sentTodayOf } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** How many messages of a campaign may wait for one account. What is due beyond that stays with its enrollment. */
const MOST_WAITING = 1000;
const BATCH = 500;

/** An account as the planner of one campaign sees it. */
export interface AccountRoom {
  readonly id: number;
  /** Whether the campaign gives it new contacts. */
  readonly takes_turns: boolean;
  /** Active and under its daily limit. */
  readonly usable: boolean;
  /** How many more messages of the campaign may wait for it. */
  readonly room: number;
}

/** An enrollment whose step was due. `planned` is false when a message for that step exists already. */
export interface Planned {
  readonly enrollment_id: number;
  readonly step_id: number;
  readonly email_account_id: number;
  readonly planned: boolean;
}

/** The accounts of the workspace: those of the campaign take turns, without any the default account does. */
export function accountRooms(scope: WorkspaceScope, campaignId: number): Promise<AccountRoom[]> {
  return scope.query<AccountRoom>(
    sql`WITH own AS (
          SELECT email_account_id FROM campaign_accounts WHERE workspace_id = ${scope} AND campaign_id = ${campaignId}
        )
        SELECT account.id,
          CASE WHEN EXISTS (SELECT 1 FROM own) THEN account.id IN (SELECT email_account_id FROM own)
               ELSE account.is_default END AS takes_turns,
          account.is_active AND account.daily_limit > ${sentTodayOf('account')} AS usable,
          ${MOST_WAITING}::int - (
            SELECT count(*)::int FROM (
              SELECT 1 FROM messages message
              WHERE message.workspace_id = ${scope} AND message.campaign_id = ${campaignId}
                AND message.email_account_id = account.id AND message.status IN ('queued', 'sending')
              LIMIT ${MOST_WAITING}) waiting) AS room
        FROM email_accounts account WHERE account.workspace_id = ${scope} ORDER BY account.id`,
  );
}

/** Who may get messages now. */
export interface Capacity {
  /** Accounts with room, for contacts that have heard from one before. */
  readonly senders: readonly AccountRoom[];
  /** Accounts that new contacts are spread over. */
  readonly turns: readonly AccountRoom[];
}

/**
 * Writes a queued message for each due enrollment of the campaign, up to the room of its account.
 * Each account's enrollments are looked up by themselves: one that is full or spent holds up no other.
 */
export function planDue(scope: WorkspaceScope, campaignId: number, capacity: Capacity): Promise<Planned[]> {
  const dueNow = sql`enrollment.workspace_id = ${scope} AND enrollment.campaign_id = ${campaignId}
    AND enrollment.next_due_at <= now() AND enrollment.status IN ('pending', 'in_progress')
    AND enrollment.current_step_id IS NOT NULL`;
  return scope.query<Planned>(
    sql`WITH known AS (${dueOfSenders(dueNow, capacity.senders)}), fresh AS (${dueOfNobody(dueNow, capacity.turns)}),
        due AS (SELECT * FROM known UNION ALL SELECT * FROM fresh),
        written AS (
          INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id)
          SELECT ${scope}, ${campaignId}, due.id, due.contact_id, due.step_id, due.email_account_id FROM due
          ON CONFLICT (workspace_id, enrollment_id, step_id) DO NOTHING RETURNING enrollment_id
        ), moved AS (
          UPDATE enrollments enrollment SET next_due_at = NULL, email_account_id = due.email_account_id
          FROM due WHERE enrollment.workspace_id = ${scope} AND enrollment.id = due.id
        )
        SELECT due.id AS enrollment_id, due.step_id, due.email_account_id, written.enrollment_id IS NOT NULL AS planned
        FROM due LEFT JOIN written ON written.enrollment_id = due.id`,
  );
}

/** Due enrollments that keep their sender, as many as it has room for. */
const dueOfSenders = (dueNow: Sql, senders: readonly AccountRoom[]): Sql =>
  sql`SELECT due.*, account.id AS email_account_id
      FROM unnest(${senders.map(({ id }) => id)}::bigint[], ${senders.map(({ room }) => room)}::int[])
        AS account (id, room)
      CROSS JOIN LATERAL (
        SELECT enrollment.id, enrollment.contact_id, enrollment.current_step_id AS step_id FROM enrollments enrollment
        WHERE ${dueNow} AND enrollment.email_account_id = account.id
        ORDER BY enrollment.next_due_at, enrollment.id LIMIT least(account.room, ${BATCH}::int)
        FOR UPDATE SKIP LOCKED) due`;

/** Due enrollments without a sender, each with the one whose turn it is. */
const dueOfNobody = (dueNow: Sql, turns: readonly AccountRoom[]): Sql =>
  sql`SELECT due.*, (${turns.map(({ id }) => id)}::bigint[])[1 + due.id % ${Math.max(turns.length, 1)}::int] AS email_account_id
      FROM (
        SELECT enrollment.id, enrollment.contact_id, enrollment.current_step_id AS step_id FROM enrollments enrollment
        WHERE ${dueNow} AND enrollment.email_account_id IS NULL
        ORDER BY enrollment.next_due_at, enrollment.id LIMIT ${roomFor(turns)} FOR UPDATE SKIP LOCKED) due`;

/** A batch that is spread evenly must fit into the fullest account. */
const roomFor = (turns: readonly AccountRoom[]): number =>
  turns.length === 0 ? 0 : Math.min(BATCH, ...turns.map(({ room }) => room * turns.length));
