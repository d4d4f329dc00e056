import { SecretUnreadable } from '../webhook.errors.js';
import type { AttemptResult } from '@outreach/webhook-delivery';
import type { DeliveryContext } from './delivery-contexts.js';
import type { FailureResult } from './delivery-results.js';
import type { CompletedAttempt } from './delivery-results.queries.js';
import type { DeliveryTarget, DueDelivery } from './due-deliveries.queries.js';

/** The result of an attempt, whose success is still to be recorded. */
export type DeliveryResult =
  { readonly kind: 'delivered'; readonly recorded: Promise<undefined> } | { readonly kind: FailureResult };

/**
 * A delivery passes these steps from the outbox to the log:
 *
 * 1. `EventOutbox` inserts it in the transaction of its event. Stops if no active webhook is subscribed.
 * 2. `leaseWebhook` leases the webhook for this worker, in one statement. The delivery continues to wait if another
 *    worker has the lease, it is not due, the circuit is open, or the webhook is inactive and no user requested the
 *    delivery.
 * 3. `findDueDeliveries` reads it, and `WebhookRun` checks it (`run-states.ts`) as soon as the circuit breaker allows. It waits
 * for the next run if the circuit opens, the time of this run is over, or the process shuts down.
 * 4. `preflight` stops the run if the delivery or its webhook was deleted, or the webhook was made inactive. The next
 *    deliveries of a fast receiver are checked while others are attempted, at most 10 ms before their own attempts.
 * 5. `attempt` never stops. Every response, timeout and network error is a result, and a secret that cannot be
 *    decrypted is a failure.
 * 6. Successes are recorded in batches, while the next attempts are made. A failure is recorded on its own, because it
 *    changes what the webhook may receive: the delivery waits for its next attempt or is deleted after its last one.
 *    It stops the run with `skipped` if this attempt was recorded before, and with `superseded` if the webhook has another
 *    URL or secret by now.
 *
 * This function runs steps 5 and 6. It resolves after the attempt, or when its failure is recorded.
 * @throws errors of the database only
 */
export async function deliver(
  context: DeliveryContext,
  delivery: DueDelivery,
  target: DeliveryTarget,
): Promise<DeliveryResult> {
  const made: CompletedAttempt = {
    delivery: { id: delivery.id, webhook_id: context.webhook_id, event: delivery.event, attempt: target.attempt },
    target_digest: target.target_digest,
    result: await attempt(context, delivery, target),
  };
  if (made.result.success) return { kind: 'delivered', recorded: context.batches.delivered.submit(made) };
  return { kind: await context.results.failed(context.scope, made) };
}

/** Reads the URL and the secret, together with those of other deliveries. Later changes do not count for its attempt. */
export function preflight({ batches }: DeliveryContext, delivery: DueDelivery): Promise<DeliveryTarget | undefined> {
  return batches.targets.submit(delivery.id);
}

/**
 * If the secret cannot be decrypted, nothing is sent. The failed attempt shows the reason to the owner of the webhook.
 */
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
