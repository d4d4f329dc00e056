import type { StatementPart } from '@outreach/database';
import { WORKER } from '@outreach/job-queue';
import { planStepsAgain } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { isLeasedByOther } from '../account-leases.queries.js';
import { isRefundable, refund, refunds, RELEASED_BY_CHANGE, TEMPORARY_FAILURE, type Wait } from '../rules/index.js';
import { type EndedMessage, endQueued, endQueuedByIds, recorded } from './move.queries.js';
import { EARLIER_COPY, MAY_BE_ACCEPTED, UNCERTAIN_RETRY_SECONDS } from './send-decision.js';
import { UPDATED_COLUMNS, type UpdatedMessage } from './updated-message.js';

/** The reason of a cancelled message whose enrollment was moved to another step. */
export const CANCELLED_BY_MOVE = 'moved';
/** The reason of a cancelled message whose step was deleted. */
export const STEP_DELETED = 'step_deleted';

/**
 * Sets accepted messages to `sent`, whoever has their leases: the server has accepted them. Messages that were recorded
 * before do not change and are not returned.
 */
export function setSent(scope: WorkspaceScope, ids: readonly number[]): Promise<EndedMessage[]> {
  const sent = { status: 'sent', reason: sql`NULL`, sent_at: scope.now } as const;
  return endQueuedByIds(scope, ids, sent);
}

/** Returns those of the messages that are queued or `unknown`, which a report proves to be sent. */
export async function findUnsent(scope: WorkspaceScope, ids: readonly number[]): Promise<number[]> {
  return scope.queryIds(
    sql`SELECT reported.id FROM unnest(${[...ids]}::bigint[]) AS reported (id)
        WHERE NOT EXISTS (SELECT 1 FROM messages message
          WHERE message.workspace_id = ${scope} AND message.id = reported.id AND message.status <> 'unknown')`.prepared(),
  );
}

/** Sets messages to `sent` that were held as `unknown`, because a report proves that they were sent. */
export function setUnknownSent(scope: WorkspaceScope, ids: readonly number[]): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE messages message SET status = 'sent', sent_at = ${scope.now}, reason = NULL, updated_at = ${scope.now}
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[]) AND message.status = 'unknown'
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/** Puts messages that this process has leased back into the queue, where they wait. */
export function requeue(scope: WorkspaceScope, ids: readonly number[], wait: Wait): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE queued_messages message SET status = 'queued', reason = ${wait.reason}, next_attempt_at = ${wait.until(scope)},
          waits_for_contact = ${wait.reason !== null && RELEASED_BY_CHANGE.includes(wait.reason)},
            waits_for_provider = ${wait.isForProvider ?? false},
          attempts = attempts - CASE WHEN status = 'sending' AND attempts > 0 THEN ${wait.refundsAttempt ? 1 : 0}
            ELSE 0 END, leased_by = NULL, lease_until = NULL, updated_at = ${scope.now}
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[]) AND message.leased_by = ${WORKER}
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/**
 * Deletes queued messages of steps whose account is deleted or about to be, and makes their enrollments due: they are planned
 * again, from another account, with the same Message-ID. If the deleted account's server may have accepted one already,
 * it becomes `unknown` instead. An answer to a reply is sent by no other account: it is cancelled.
 * @param which conditions on `message`
 */
export async function planAgain(scope: WorkspaceScope, which: Sql): Promise<void> {
  const mayBeAccepted = sql`message.status = 'queued' AND message.uncertain_attempts > 0 AND (${which})`;
  await endQueued(scope, mayBeAccepted, { status: 'unknown', reason: sql`${MAY_BE_ACCEPTED}` });
  const isAnswer = sql`message.status = 'queued' AND message.reply_id IS NOT NULL AND (${which})`;
  await endQueued(scope, isAnswer, { status: 'cancelled', reason: sql`'no_account'` });
  const deleted = {
    name: 'deleted',
    statement: sql`DELETE FROM queued_messages message
      WHERE message.workspace_id = ${scope} AND message.status = 'queued' AND (${which}) RETURNING message.*`,
    rowsOf: 'queued_messages',
  };
  const steps = await scope.inParts<{ enrollment_id: number; variant_id: number | null }>(
    [deleted, ...refunds(scope, sql`deleted`)],
    sql`SELECT enrollment_id, variant_id FROM deleted`,
  );
  await planStepsAgain(scope, steps);
}

/**
 * Ends messages for good, unless they have ended already. The reason of a `failed` one says if the server of an earlier
 * attempt may have accepted it.
 */
export function endMessages(
  scope: WorkspaceScope,
  ids: readonly number[],
  status: 'cancelled' | 'failed' | 'bounced',
  reason: string,
): Promise<EndedMessage[]> {
  const earlierCopy = sql`CASE WHEN message.uncertain_attempts > 0 THEN ${EARLIER_COPY} ELSE '' END`;
  return endQueuedByIds(scope, ids, {
    status,
    reason: status === 'failed' ? sql`${reason}::text || ${earlierCopy}` : sql`${reason}`,
    ...(status === 'bounced' ? { bounced_at: scope.now } : {}),
  });
}

/**
 * Ends the lease of a message that is `sending`, so that the next recovery settles it. If it is sent again, then after a
 * pause: a server that has just closed the connection would probably do it again.
 */
export async function expireLease(scope: WorkspaceScope, id: number): Promise<void> {
  await scope.execute(
    sql`UPDATE queued_messages SET leased_by = NULL, lease_until = ${sql.realNow},
          next_attempt_at = ${scope.now} + make_interval(secs => ${UNCERTAIN_RETRY_SECONDS})
        WHERE workspace_id = ${scope} AND id = ${id} AND status = 'sending' AND leased_by = ${WORKER}`,
  );
}

/**
 * Counts the attempt of a claimed message that has failed before the preflight check, which counts the others.
 */
export async function countAttempt(scope: WorkspaceScope, id: number): Promise<void> {
  await scope.execute(
    sql`UPDATE queued_messages SET attempts = attempts + 1
        WHERE workspace_id = ${scope} AND id = ${id} AND status = 'queued' AND leased_by = ${WORKER}`,
  );
}

/**
 * The due messages of an account whose provider cannot be used wait as long as those that were tried, unless another worker
 * sends from it now.
 * @returns how many
 */
export function postponeUntried(scope: WorkspaceScope, accountId: number, minutes: number): Promise<number> {
  return scope.execute(
    sql`UPDATE queued_messages SET reason = ${TEMPORARY_FAILURE}, waits_for_provider = TRUE, updated_at = ${scope.now},
          next_attempt_at = ${scope.now} + make_interval(mins => ${minutes})
        WHERE workspace_id = ${scope} AND email_account_id = ${accountId}
          AND status = 'queued' AND lease_until IS NULL AND next_attempt_at <= ${scope.now}
          AND NOT EXISTS (SELECT 1 FROM email_accounts account
            WHERE account.workspace_id = ${scope} AND account.id = ${accountId} AND ${isLeasedByOther})`,
  );
}

/**
 * Cancels queued messages, including claimed ones: the preflight check of their worker fails then. What was reserved
 * for the claimed ones is returned to the daily limit of their accounts.
 * @param which conditions on `message`
 */
export async function cancelQueued(scope: WorkspaceScope, which: Sql, reason: string): Promise<void> {
  const end = { status: 'cancelled', reason: sql`${reason}`, updated_at: scope.now } as const;
  await removeQueued(scope, which, [recorded(sql`removed`, end)]);
}

/** Cancels those of the queued messages whose step was deleted while they were sent: they cannot be sent again. */
export async function cancelWithoutStep(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const which = sql`message.id = ANY(${[...ids]}::bigint[]) AND message.step_id IS NULL AND message.reply_id IS NULL`;
  await cancelQueued(scope, which, STEP_DELETED);
}

/** Cancels those of the queued messages whose enrollments have ended or left the step while they were sent. */
export async function cancelEnded(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
  const ended = (
    condition: Sql,
  ): Sql => sql`message.id = ANY(${[...ids]}::bigint[]) AND message.reply_id IS NULL AND EXISTS (
    SELECT 1 FROM enrollments enrollment
    WHERE enrollment.workspace_id = ${scope} AND enrollment.id = message.enrollment_id AND (${condition}))`;
  await cancelQueued(scope, ended(sql`enrollment.status = 'unsubscribed'`), 'unsubscribed');
  const isOver = sql`enrollment.status NOT IN ('pending', 'in_progress') OR enrollment.current_step_id IS DISTINCT
    FROM message.step_id`;
  await cancelQueued(scope, ended(isOver), 'skipped');
}

/**
 * Deletes queued messages whose enrollments are about to be deleted. Like {@link cancelQueued} it returns what was reserved
 * for them, to the daily limits and to the new contacts of the day, which the deletion of the enrollments does not.
 * @param which conditions on `message`
 */
export async function deleteQueued(scope: WorkspaceScope, which: Sql): Promise<void> {
  await removeQueued(scope, which, []);
}

async function removeQueued(scope: WorkspaceScope, which: Sql, parts: readonly StatementPart[]): Promise<void> {
  const removed = {
    name: 'removed',
    with: sql`queued AS (
        SELECT message.id FROM queued_messages message
        WHERE message.workspace_id = ${scope} AND message.status = 'queued' AND (${which})
        ORDER BY message.id FOR UPDATE
      )`,
    statement: sql`DELETE FROM queued_messages message USING queued
      WHERE message.workspace_id = ${scope} AND message.id = queued.id RETURNING message.*`,
    rowsOf: 'queued_messages',
  };
  await scope.inParts(
    [removed, ...parts, ...refunds(scope, sql`removed`)],
    sql`UPDATE email_accounts account SET ${refund(sql`refund.messages`)}
        FROM (SELECT email_account_id, reserved_on, count(*)::int AS messages FROM removed
              WHERE lease_until IS NOT NULL GROUP BY 1, 2) refund
        WHERE account.workspace_id = ${scope} AND account.id = refund.email_account_id
          AND ${isRefundable(sql`refund.reserved_on`)}`,
  );
}

/** The messages of steps among these, as {@link CampaignProtection} counts those that were returned. */
export const returnedMessages = (scope: WorkspaceScope, ids: readonly number[]): Sql => sql`
  SELECT campaign_id, coalesce(sent_at, bounced_at) AS returned_at, sent_at IS NULL AS is_refused FROM messages
  WHERE workspace_id = ${scope} AND id = ANY(${[...ids]}::bigint[]) AND reply_id IS NULL`;
