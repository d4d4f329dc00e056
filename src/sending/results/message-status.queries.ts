import { type Sql, sql } from '../../platform/database/index.js';
import { WORKER } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { MessageStatus } from '../message.entity.js';
import { MAY_BE_ACCEPTED, RETRY_MINUTES, UNCERTAIN_RETRY_SECONDS } from './send-decision.js';
import { UPDATED_COLUMNS, type UpdatedMessage } from './updated-message.js';

/**
 * Sets accepted messages to `sent`. This includes a message whose lease has expired but which was not claimed again:
 * the server has accepted it. Messages that were recorded before do not change and are not returned.
 */
export function setSent(scope: WorkspaceScope, ids: readonly number[]): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE messages message SET status = 'sent', sent_at = now(), reason = NULL, leased_by = NULL, lease_until = NULL,
          updated_at = now()
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND (message.status IN ('sending', 'unknown') OR (message.status = 'queued' AND message.lease_until IS NULL))
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/**
 * Sets accepted messages to `sent` that another worker has claimed, but not begun to send: it took over the lease of this
 * process. Its preflight check stops them.
 */
export function setClaimedSent(scope: WorkspaceScope, ids: readonly number[]): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE messages message SET status = 'sent', sent_at = now(), reason = NULL, leased_by = NULL, lease_until = NULL,
          updated_at = now()
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND message.status = 'queued' AND message.lease_until IS NOT NULL
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/** Puts messages that this process has leased back into the queue, with the reason that the API shows, for an attempt at `at`. */
export function requeue(
  scope: WorkspaceScope,
  ids: readonly number[],
  reason: string | null,
  at: Sql,
): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE messages message SET status = 'queued', reason = ${reason}, next_attempt_at = ${at},
          leased_by = NULL, lease_until = NULL, updated_at = now()
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND message.status IN ('queued', 'sending') AND message.leased_by = ${WORKER}
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/**
 * Deletes queued messages whose account is deleted or about to be, and makes their enrollments due: they are planned
 * again, from another account, with the same Message-ID. If the deleted account's server may have accepted one already,
 * it becomes `unknown` instead.
 * @param which conditions on `message`
 */
export async function planAgain(scope: WorkspaceScope, which: Sql): Promise<void> {
  await scope.execute(
    sql`UPDATE messages message SET status = 'unknown', reason = ${MAY_BE_ACCEPTED}, leased_by = NULL, lease_until = NULL,
          updated_at = now()
        WHERE message.workspace_id = ${scope} AND message.status = 'queued' AND message.uncertain_attempts > 0 AND (${which})`,
  );
  await scope.execute(
    sql`WITH waiting AS (
          DELETE FROM messages message WHERE message.workspace_id = ${scope} AND message.status = 'queued' AND (${which})
          RETURNING message.enrollment_id
        )
        UPDATE enrollments SET next_due_at = now(), email_account_id = NULL
        WHERE workspace_id = ${scope} AND id IN (SELECT enrollment_id FROM waiting)
          AND status IN ('pending', 'in_progress')`,
  );
}

/** A message that has ended. */
export interface EndedMessage extends UpdatedMessage {
  /** This process had claimed it, and so reserved it in the daily limit. */
  readonly was_reserved: boolean;
}

/** Ends messages for good, unless they have ended already. */
export function endMessages(
  scope: WorkspaceScope,
  ids: readonly number[],
  status: Extract<MessageStatus, 'cancelled' | 'failed' | 'bounced'>,
  reason: string,
): Promise<EndedMessage[]> {
  const bouncedAt = status === 'bounced' ? sql`now()` : sql`message.bounced_at`;
  return scope.query<EndedMessage>(
    sql`WITH open AS (
          SELECT id, coalesce(leased_by = ${WORKER}, FALSE) AS was_reserved FROM messages
          WHERE workspace_id = ${scope} AND id = ANY(${[...ids]}::bigint[]) AND status IN ('queued', 'sending')
          ORDER BY id FOR UPDATE
        )
        UPDATE messages message SET status = ${status}, reason = ${reason}, bounced_at = ${bouncedAt},
          leased_by = NULL, lease_until = NULL, updated_at = now()
        FROM open WHERE message.workspace_id = ${scope} AND message.id = open.id
        RETURNING ${UPDATED_COLUMNS}, open.was_reserved`,
  );
}

/**
 * Ends the lease of a message that is `sending`, so that the next recovery settles it. If it is sent again, then after a
 * pause: a server that has just closed the connection would probably do it again.
 */
export async function expireLease(scope: WorkspaceScope, id: number): Promise<void> {
  await scope.execute(
    sql`UPDATE messages SET leased_by = NULL, lease_until = now(),
          next_attempt_at = now() + make_interval(secs => ${UNCERTAIN_RETRY_SECONDS})
        WHERE workspace_id = ${scope} AND id = ${id} AND status = 'sending' AND leased_by = ${WORKER}`,
  );
}

/**
 * Counts a failed attempt for every due message of an account, and postpones it by the retry schedule.
 * @returns the messages that have used up their attempts
 */
export async function postponeDue(scope: WorkspaceScope, accountId: number): Promise<number[]> {
  const rows = await scope.query<{ id: number; attempts: number }>(
    sql`UPDATE messages SET attempts = attempts + 1, reason = 'temporary_failure', updated_at = now(),
          next_attempt_at = now() + make_interval(mins => coalesce((${[...RETRY_MINUTES]}::int[])[attempts + 1], 0))
        WHERE workspace_id = ${scope} AND email_account_id = ${accountId}
          AND status = 'queued' AND lease_until IS NULL AND next_attempt_at <= now()
        RETURNING id, attempts`,
  );
  return rows.filter(({ attempts }) => attempts > RETRY_MINUTES.length).map(({ id }) => id);
}

/**
 * Cancels queued messages, including claimed ones: the preflight check of their worker fails then. What was reserved
 * for the claimed ones is returned to the daily limit of their accounts.
 * @param which conditions on `message`
 */
export async function cancelQueued(scope: WorkspaceScope, which: Sql, reason: string): Promise<void> {
  await scope.execute(
    sql`WITH queued AS (
          SELECT message.id, message.email_account_id, message.reserved_on, message.lease_until IS NOT NULL AS reserved
          FROM messages message
          WHERE message.workspace_id = ${scope} AND message.status = 'queued' AND (${which})
          ORDER BY message.id FOR UPDATE
        ), cancelled AS (
          UPDATE messages message SET status = 'cancelled', reason = ${reason}, leased_by = NULL, lease_until = NULL,
            updated_at = now()
          FROM queued WHERE message.workspace_id = ${scope} AND message.id = queued.id
        )
        UPDATE email_accounts account SET sent_count = greatest(account.sent_count - refund.messages, 0)
        FROM (SELECT email_account_id, reserved_on, count(*)::int AS messages FROM queued WHERE reserved GROUP BY 1, 2) refund
        WHERE account.workspace_id = ${scope} AND account.id = refund.email_account_id
          AND account.counted_on = refund.reserved_on`,
  );
}
