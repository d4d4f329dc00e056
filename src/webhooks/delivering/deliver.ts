import { SecretUnreadable } from '../webhook.errors.js';
import type { AttemptResult } from './attempt-result.js';
import type { DueDelivery, Target } from './lane.queries.js';
import type { AfterFailure } from './recorder.js';
import type { WebhookLane } from './webhook-lanes.js';

/** What became of a delivery: it was taken, it failed, or it was not attempted because it must not go any more. */
export type DeliveryEnd = 'taken' | 'withdrawn' | AfterFailure;

/** One attempt at one delivery: a last look, the attempt, the record. A failure of the database escapes. */
export async function deliver(lane: WebhookLane, due: DueDelivery): Promise<DeliveryEnd> {
  const { scope, webhook_id: webhookId, batches, recorder } = lane;
  const target = await batches.looks.submit(due.id);
  if (!target) return 'withdrawn';
  const result = await attempt(lane, due, target);
  const delivery = { id: due.id, webhook_id: webhookId, event: due.event, attempt: target.attempt };
  if (!result.success) return recorder.failed(scope, { delivery, result });
  await batches.delivered.submit({ delivery, result });
  return 'taken';
}

/** Without its secret nothing can be sent: a failed attempt, so that the webhook's owner reads why. */
async function attempt({ secret, attempts }: WebhookLane, due: DueDelivery, target: Target): Promise<AttemptResult> {
  try {
    return await attempts.make({ ...due, ...target, secret: secret.of(target.secret) });
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return { status_code: 0, success: false, response: error.message };
  }
}
