import { SecretUnreadable } from '../webhook.errors.js';
import type { AttemptResult } from './attempt-result.js';
import type { DueDelivery, Target } from './due-deliveries.queries.js';
import type { FailureResult } from './delivery-results.js';
import type { DeliveryContext } from './delivery-contexts.js';

/** What became of a delivery: it was taken, it failed, or it was not attempted because it must not go any more. */
export type DeliveryResult = 'taken' | 'withdrawn' | FailureResult;

/** One attempt at one delivery: a last look, the attempt, the record. A failure of the database escapes. */
export async function deliver(context: DeliveryContext, due: DueDelivery): Promise<DeliveryResult> {
  const { scope, webhook_id: webhookId, batches, results } = context;
  const target = await batches.targets.submit(due.id);
  if (!target) return 'withdrawn';
  const result = await attempt(context, due, target);
  const delivery = { id: due.id, webhook_id: webhookId, event: due.event, attempt: target.attempt };
  if (!result.success) return results.failed(scope, { delivery, result });
  await batches.delivered.submit({ delivery, result });
  return 'taken';
}

/** Without its secret nothing can be sent: a failed attempt, so that the webhook's owner reads why. */
async function attempt(
  { secret, attempts }: DeliveryContext,
  due: DueDelivery,
  target: Target,
): Promise<AttemptResult> {
  try {
    return await attempts.make({ ...due, ...target, secret: secret.of(target.secret) });
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return { status_code: 0, success: false, response: error.message };
  }
}
