import type { AfterFailure } from './recorder.js';
import type { WebhookLane } from './webhook-lanes.js';

/** What became of a delivery: it was taken, it failed, or it was not attempted because it must not go any more. */
export type DeliveryEnd = 'taken' | 'withdrawn' | AfterFailure;

/** One attempt at one delivery: a last look, the attempt, the record. A failure of the database escapes. */
export async function deliver(lane: WebhookLane, id: number): Promise<DeliveryEnd> {
  const { scope, batches, secrets, attempts, recorder } = lane;
  const delivery = await batches.looks.submit(id);
  if (!delivery) return 'withdrawn';
  const result = await attempts.make({ ...delivery, secret: secrets.open(scope, delivery.secret) });
  const made = { delivery, result };
  if (!result.success) return recorder.failed(scope, made);
  await batches.delivered.submit(made);
  return 'taken';
}
