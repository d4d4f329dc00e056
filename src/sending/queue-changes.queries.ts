import { drawnVariant } from '../campaigns/index.js';
import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { cancelQueued, CANCELLED_BY_MOVE, planAgain, STEP_DELETED } from './results/index.js';

/**
 * Removes an account that is about to be deleted from all messages. What is queued for it is planned again, from
 * another account, with the same Message-ID.
 */
export async function detachAccount(scope: WorkspaceScope, accountId: number): Promise<void> {
  await planAgain(scope, sql`message.email_account_id = ${accountId}`);
  const detached = await detach(scope, sql`email_account_id`, accountId);
  // Those that a transaction has returned to the queue after the first statement. Without an account, nothing would find them.
  await planAgain(scope, sql`message.id = ANY(${detached}::bigint[])`);
}

/** Removes a step that is about to be deleted from all messages, and cancels those that are queued. */
export async function detachStep(scope: WorkspaceScope, stepId: number): Promise<void> {
  await cancelQueued(scope, sql`message.step_id = ${stepId}`, STEP_DELETED);
  await detach(scope, sql`step_id`, stepId);
}

/**
 * First in the queue: a message whose result is recorded meanwhile is in `messages` for the second statement.
 * @returns the messages of the queue
 */
async function detach(scope: WorkspaceScope, column: Sql, id: number): Promise<number[]> {
  const isOf = sql`workspace_id = ${scope} AND ${column} = ${id}`;
  const queued = await scope.query<{ id: number }>(
    sql`UPDATE queued_messages SET ${column} = NULL WHERE ${isOf} RETURNING id`,
  );
  await scope.execute(sql`UPDATE messages SET ${column} = NULL WHERE ${isOf}`);
  return queued.map((message) => message.id);
}

/**
 * Cancels what is queued for enrollments that were moved to a step. What was cancelled by a move, now or before, and what was
 * cancelled of that step does not keep its step from being planned again, unless a server may have accepted it.
 */
export async function cancelForMove(scope: WorkspaceScope, enrollments: Sql, stepId: number): Promise<void> {
  const which = sql`${sql.among(sql`message.enrollment_id`, enrollments)} AND message.reply_id IS NULL`;
  await cancelQueued(scope, which, CANCELLED_BY_MOVE);
  // The next message of the step has the same Message-ID.
  await scope.execute(
    sql`UPDATE messages message SET reason = ${CANCELLED_BY_MOVE}, message_id = NULL, updated_at = ${scope.now}
        WHERE message.workspace_id = ${scope} AND ${which} AND (message.reason = ${CANCELLED_BY_MOVE}
          OR message.step_id = ${stepId})
          AND message.status = 'cancelled' AND message.sent_at IS NULL AND message.uncertain_attempts = 0`,
  );
}

/**
 * Draws a variant for the queued messages of a step whose own was removed, or that have none and were not tried yet. If the
 * step has no variants any more, they get the text of the step.
 */
export async function drawAgain(scope: WorkspaceScope, stepId: number): Promise<void> {
  const drawn = drawnVariant(scope, sql`message.enrollment_id`, sql`message.step_id`);
  await scope.execute(
    sql`UPDATE queued_messages message SET variant_id = ${drawn}, updated_at = ${scope.now}
        WHERE message.workspace_id = ${scope} AND message.step_id = ${stepId} AND message.status = 'queued'
          AND message.lease_until IS NULL AND (message.variant_id IS NOT NULL OR message.attempts = 0)
          AND NOT EXISTS (
            SELECT 1 FROM step_variants variant
            WHERE variant.workspace_id = ${scope} AND variant.step_id = ${stepId} AND variant.id = message.variant_id)
          AND message.variant_id IS DISTINCT FROM ${drawn}`,
  );
}
