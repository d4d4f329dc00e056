import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { AttemptRequest, AttemptResult } from '@outreach/webhook-delivery';
import { insertLogs } from '../logs/insert-logs.queries.js';
import { webhookLockedForKeyShare } from '../webhooks.queries.js';

/** Stores the event of a test delivery and logs the attempt. Does nothing if the webhook was deleted during the attempt. */
export async function logTestDelivery(
  scope: WorkspaceScope,
  webhookId: number,
  request: AttemptRequest,
  result: AttemptResult,
): Promise<void> {
  const { event, body, delivery_id: deliveryId, attempt } = request;
  const stored = {
    name: 'event',
    statement: sql`INSERT INTO webhook_events (workspace_id, event, payload, created_at)
      SELECT ${scope}, ${event}, ${body}::json, ${scope.now} FROM webhook
      RETURNING id, created_at`,
    columns: sql`id bigint, created_at timestamptz`,
  };
  const attempts = sql`SELECT webhook.id AS webhook_id, ${event}::text AS event, event.id AS event_id,
      event.created_at AS event_created_at, ${deliveryId}::uuid AS delivery_id, NULL::uuid AS original_delivery_id,
      ${attempt}::int AS attempt, ${result.status_code}::int AS status_code, ${result.success}::boolean AS success,
      ${result.response}::text AS response
    FROM webhook CROSS JOIN event`;
  await scope.inParts(
    [webhookLockedForKeyShare(scope, webhookId), stored, ...insertLogs(scope, attempts)],
    sql`SELECT count(*) FROM logged`,
  );
}
