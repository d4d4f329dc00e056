import { SecretUnreadable } from '../webhook.errors.js';
import type { AttemptResult } from './attempt-result.js';
import type { ReadyDelivery } from './lane.queries.js';
import type { AfterFailure } from './recorder.js';
import type { WebhookLane } from './webhook-lanes.js';

/** What became of a delivery: it was taken, it failed, or it was not attempted because it must not go any more. */
export type DeliveryEnd = 'taken' | 'withdrawn' | AfterFailure;

/** One attempt at one delivery: a last look, the attempt, the record. A failure of the database escapes. */
export async function deliver(lane: WebhookLane, id: number): Promise<DeliveryEnd> {
  const { scope, batches, recorder } = lane;
  const delivery = await batches.looks.submit(id);
  if (!delivery) return 'withdrawn';
  const result = await attempt(lane, delivery);
  const made = { delivery, result };
  if (!result.success) return recorder.failed(scope, made);
  await batches.delivered.submit(made);
  return 'taken';
}

/** Without its secret nothing can be sent: a failed attempt, so that the webhook's owner reads why. */
async function attempt({ scope, secrets, attempts }: WebhookLane, delivery: ReadyDelivery): Promise<AttemptResult> {
  try {
    return await attempts.make({ ...delivery, secret: secrets.open(scope, delivery.secret) });
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return { status_code: 0, success: false, response: error.message };
  }
}
