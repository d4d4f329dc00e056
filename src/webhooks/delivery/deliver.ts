import { SecretUnreadable } from '../webhook.errors.js';
import type { AttemptResult } from './attempt-result.js';
import type { DeliveryContext } from './delivery-contexts.js';
import type { FailureResult } from './delivery-results.js';
import type { CompletedAttempt } from './delivery-results.queries.js';
import type { DeliveryTarget, DueDelivery } from './due-deliveries.queries.js';

/**
 * The result of one pass of a delivery through its steps. `skipped`: the preflight check, or another worker, found that
 * nothing is left to do.
 */
export type DeliveryResult = 'delivered' | 'skipped' | FailureResult;

/**
 * One delivery from the outbox to the log. Each step has its reasons to stop:
 *
 * 1. `EventOutbox` inserts the delivery in the transaction of its event, due at once. No webhook is active and subscribed:
 *    nothing is inserted.
 * 2. `leaseWebhook` leases the webhook for this worker, in one statement. Another worker has the lease, nothing is due, the
 *    circuit is open, or the webhook is inactive and no user requested a delivery: the delivery waits.
 * 3. `findDueDeliveries` reads what is due, and `WebhookRun` starts as many deliveries as the circuit breaker allows. The
 *    time of the run is over, the process shuts down, or the circuit opens: the delivery waits for the next run.
 * 4. `preflight`: the delivery or the webhook was deleted, or the webhook was made inactive: `skipped`.
 * 5. `attempt`: always has a result. Whatever the receiver does, and a secret that cannot be decrypted, is a failed attempt.
 * 6. `record`: `delivered`, or `failed`, `paused` or `disabled`, with which the delivery waits for its next attempt or ends
 *    after its last one.
 *
 * Steps 4 to 6 are this function. @throws errors of the database only
 */
export async function deliver(context: DeliveryContext, delivery: DueDelivery): Promise<DeliveryResult> {
  const target = await preflight(context, delivery);
  if (!target) return 'skipped';
  const result = await attempt(context, delivery, target);
  return record(context, {
    delivery: { id: delivery.id, webhook_id: context.webhook_id, event: delivery.event, attempt: target.attempt },
    result,
  });
}

/** Changes up to this moment count: the URL and the secret are read now, together with those of other deliveries. */
function preflight({ batches }: DeliveryContext, delivery: DueDelivery): Promise<DeliveryTarget | undefined> {
  return batches.targets.submit(delivery.id);
}

/** If the secret cannot be decrypted, nothing is sent. The failed attempt shows the reason to the owner of the webhook. */
async function attempt(
  { secret, sender }: DeliveryContext,
  delivery: DueDelivery,
  target: DeliveryTarget,
): Promise<AttemptResult> {
  try {
    return await sender.send({ ...delivery, ...target, secret: secret.of(target.secret) });
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return { status_code: 0, success: false, response: error.message };
  }
}

/** Successes are recorded in batches; a failure is recorded on its own, because it changes what the webhook may receive. */
async function record({ scope, batches, results }: DeliveryContext, made: CompletedAttempt): Promise<DeliveryResult> {
  if (!made.result.success) return results.failed(scope, made);
  await batches.delivered.submit(made);
  return 'delivered';
}
