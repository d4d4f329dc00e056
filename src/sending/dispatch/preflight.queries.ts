import { insideSchedule, type Schedule } from '../../campaigns/index.js';
import { sentTodayOf, today } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { LEASE_SECONDS } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** Why the preflight check stops a message. */
export type StopReason =
  | 'lost'
  | 'day ended'
  | 'paused'
  | 'bounced'
  | 'complained'
  | 'unsubscribed'
  | 'ended'
  | 'blacklisted'
  | 'account changed';

/** A composed message that is about to be sent. */
export interface SendCandidate {
  readonly id: number;
  readonly message_id: string;
  readonly subject: string;
}

/**
 * What both checks read, as tables of FROM and conditions of CASE: the contact is active, the enrollment is still at
 * this step, the campaign is active, no workspace has blacklisted the address, and the account is active and not over a
 * limit that was lowered since the claim. A campaign whose last enrollment has ended is not active either: its message
 * is cancelled for that enrollment instead of waiting for the campaign.
 */
const checkedRows = (scope: WorkspaceScope): Sql => sql`queued_messages message
  JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = message.campaign_id
  JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = message.enrollment_id
  JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
  LEFT JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = message.email_account_id`;
const stopConditions = (scope: WorkspaceScope): Sql => sql`
  WHEN contact.status <> 'active' THEN contact.status
  WHEN enrollment.status NOT IN ('pending', 'in_progress')
    OR enrollment.current_step_id IS DISTINCT FROM message.step_id THEN 'ended'
  WHEN campaign.status <> 'active' THEN 'paused'
  WHEN EXISTS (SELECT 1 FROM ${scope.crossTenant} blacklist_entries entry WHERE entry.email = contact.email) THEN 'blacklisted'
  WHEN account.is_active IS NOT TRUE OR ${sentTodayOf(scope, 'account')} > account.daily_limit THEN 'account changed'`;

/**
 * Checks many messages in one statement: the lease is still ours, it is the day for which the message is
 * reserved in the daily limit, then {@link stopConditions}. Sets those that pass to
 * `sending`; a message of a paused campaign does not pass.
 * @returns the reason to stop per message, or null for those that were set to `sending`
 */
export async function markSending(
  scope: WorkspaceScope,
  worker: string,
  candidates: readonly SendCandidate[],
): Promise<ReadonlyMap<number, StopReason | null>> {
  const rows = await scope.query<{ id: number; stop: StopReason | null }>(
    sql`WITH checked AS (
          SELECT message.id, CASE
            WHEN message.status <> 'queued' OR message.leased_by IS DISTINCT FROM ${worker}::uuid THEN 'lost'
            WHEN message.reserved_on IS DISTINCT FROM ${today(scope)} THEN 'day ended'
            ${stopConditions(scope)}
          END AS stop
          FROM ${checkedRows(scope)}
          WHERE message.workspace_id = ${scope} AND message.id = ANY(${candidates.map(({ id }) => id)}::bigint[])
        ), passed AS (
          UPDATE queued_messages message SET status = 'sending', attempts = message.attempts + 1,
            lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS}),
            message_id = coalesce(message.message_id, composed.message_id), subject = composed.subject
          FROM checked JOIN unnest(
            ${candidates.map(({ id }) => id)}::bigint[], ${candidates.map((each) => each.message_id)}::text[],
            ${candidates.map(({ subject }) => subject)}::text[]) AS composed (id, message_id, subject) USING (id)
          WHERE message.workspace_id = ${scope} AND message.id = checked.id AND checked.stop IS NULL
            AND message.status = 'queued' AND message.leased_by = ${worker}::uuid
          RETURNING message.id
        )
        SELECT checked.id, CASE WHEN checked.stop IS NULL AND passed.id IS NULL THEN 'lost' ELSE checked.stop END AS stop
        FROM checked LEFT JOIN passed USING (id)`.prepared(),
  );
  return new Map(rows.map((row) => [row.id, row.stop]));
}

/**
 * Returns which of the messages that a worker has set to `sending` it may still send: it has the lease, the message is
 * reserved for today, none of {@link stopConditions} holds, and the campaign's schedule, as it is now, is open.
 */
export async function findStillAllowed(
  scope: WorkspaceScope,
  worker: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await scope.query<{ id: number; stop: StopReason | null; schedule: Schedule | null }>(
    sql`SELECT message.id, campaign.schedule, CASE ${stopConditions(scope)} END AS stop
        FROM ${checkedRows(scope)}
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[]) AND message.status = 'sending'
          AND message.leased_by = ${worker} AND message.reserved_on = ${today(scope)}`,
  );
  const allowed = rows.filter(
    ({ stop, schedule }) => stop === null && (!schedule || insideSchedule(schedule, scope.clock.now())),
  );
  return new Set(allowed.map(({ id }) => id));
}
