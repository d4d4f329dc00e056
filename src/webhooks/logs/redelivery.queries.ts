import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { eventOf } from '../webhook-event.queries.js';
import { webhookLockedForKeyShare } from '../webhooks.queries.js';
import { oldestInstant } from './logs.queries.js';

/**
 * Copies the event of a log and inserts a delivery of the copy. The original cannot be used, because it is deleted with
 * the partition of its day. @returns undefined if the webhook has no such log
 */
export async function redeliver(
  scope: WorkspaceScope,
  webhookId: number,
  logId: number,
): Promise<{ delivery_id: string } | undefined> {
  const original = {
    name: 'original',
    statement: sql`SELECT coalesce(log.original_delivery_id, log.delivery_id) AS delivery_id, event.event, event.contact_id,
        event.payload
      FROM webhook_logs log CROSS JOIN ${eventOf(scope, sql`log`)} event
      WHERE log.workspace_id = ${scope} AND log.webhook_id = (SELECT webhook.id FROM webhook) AND log.id = ${logId}
        AND log.created_at >= ${oldestInstant(scope)}`,
    columns: sql`delivery_id uuid, event text, contact_id bigint, payload json`,
  };
  const copied = {
    name: 'copied',
    statement: sql`INSERT INTO webhook_events (workspace_id, event, contact_id, payload, created_at)
      SELECT ${scope}, event, contact_id, payload, ${scope.now} FROM original
      RETURNING id, created_at`,
    columns: sql`id bigint, created_at timestamptz`,
  };
  const [delivery] = await scope.inParts<{ delivery_id: string }>(
    [webhookLockedForKeyShare(scope, webhookId), original, copied],
    sql`INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id, original_delivery_id,
          forced, next_attempt_at, created_at)
        SELECT ${scope}, webhook.id, copied.id, copied.created_at, gen_random_uuid(), original.delivery_id, TRUE,
          ${scope.now}, ${scope.now}
        FROM webhook CROSS JOIN copied CROSS JOIN original
        RETURNING delivery_id`,
  );
  return delivery;
}
