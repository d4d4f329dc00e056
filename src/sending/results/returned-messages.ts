import type { ProviderLimit } from '../../email-accounts/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import {
  limitAccountOf,
  noteDeferred,
  PROVIDER_LIMIT,
  temporaryFailure,
  type Wait,
  waitForLimit,
  type WaitReason,
} from '../rules/index.js';
import { refundQuota, refundRemoved } from './account-counts.queries.js';
import { lockMessageWait } from './campaign-wait.js';
import { cancelEnded, cancelWithoutStep, planAgain, requeue } from './message-status.queries.js';
import type { LaterSend } from './send-decision.js';
import type { SendTarget } from './send-target.js';
import { idsOf, ofSteps, type UpdatedMessage } from './updated-message.js';

/**
 * Puts claimed messages back into the queue, due now unless they have to wait, and refunds the daily limits of their
 * accounts. Those whose account was deleted meanwhile are planned again, from another one.
 * @returns those that were still claimed
 */
export async function returnToQueue(tx: WorkspaceScope, ids: readonly number[], wait: Wait): Promise<UpdatedMessage[]> {
  const updated = await requeue(tx, ids, wait);
  await refundQuota(tx, updated);
  const detached = idsOf(updated.filter((message) => message.email_account_id === null));
  if (detached.length > 0) await planAgain(tx, sql`message.id = ANY(${detached}::bigint[])`);
  await cancelStepless(tx, updated);
  return updated;
}

/** Cancels those whose step was deleted while they were sent. */
export function cancelStepless(tx: WorkspaceScope, updated: readonly UpdatedMessage[]): Promise<void> {
  return cancelWithoutStep(tx, idsOf(ofSteps(updated).filter((message) => message.step_id === null)));
}

/** While a message was sent, its enrollment may have ended or been deleted: then it does not go out again. */
export function returnOrRefund(scope: WorkspaceScope, message: SendTarget, wait: Wait): Promise<void> {
  return scope.transaction(async (tx) => {
    const updated = await returnToQueue(tx, [message.id], wait);
    if (updated.length === 0) await refundRemoved(tx, message);
    // The preflight check of a message that is due now does the same.
    else if (wait.reason !== null) await cancelEnded(tx, [message.id]);
  });
}

/**
 * The campaign is read again under a lock: if it was started or rescheduled meanwhile, its waiting messages were released
 * already, and this one would not be.
 */
export function returnUntilAllowed(scope: WorkspaceScope, message: SendTarget, stoppedBy?: WaitReason): Promise<void> {
  return scope.transaction(async (tx) => {
    await returnToQueue(tx, [message.id], await lockMessageWait(tx, message, stoppedBy));
  });
}

/** Several messages of an account that its server defers in a row are a limit: then their attempts do not count. */
export function returnLater(
  scope: WorkspaceScope,
  message: SendTarget,
  { minutes, may_be_limit: mayBeLimit }: LaterSend,
): Promise<void> {
  return scope.transaction(async (tx) => {
    const deferred = mayBeLimit ? await noteDeferred(tx, message.id) : undefined;
    await returnOrRefund(tx, message, deferred ? PROVIDER_LIMIT : temporaryFailure(minutes));
    if (deferred) await waitForLimit(tx, deferred);
  });
}

/** Its account has reached a limit of its provider, and so all messages of the account wait. */
export function returnLimited(scope: WorkspaceScope, message: SendTarget, limit: ProviderLimit): Promise<void> {
  return scope.transaction(async (tx) => {
    await limitAccountOf(tx, message.id, limit);
    await returnOrRefund(tx, message, PROVIDER_LIMIT);
  });
}
