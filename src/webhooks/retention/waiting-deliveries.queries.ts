import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ATTEMPT_COLUMNS, insertLogs } from '../logs/insert-logs.queries.js';
import { LOG_RETENTION_DAYS } from '../logs/retention-days.js';
import { eventOf } from '../webhook-event.queries.js';
import { lockWebhook } from '../webhooks.queries.js';

/** Deliveries that waited longer for an inactive webhook are dropped (API v1, "Webhook activity"). */
export const MAX_WAIT_HOURS = 28;

const HOURS_A_DAY = 24;

/** The response in the log. */
const DROPPED = 'dropped';

/** Drops the deliveries of a webhook that waited too long: of an active one, only those whose events would be deleted soon. */
export function dropStaleDeliveries(scope: WorkspaceScope, webhookId: number): Promise<void> {
  return scope.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, webhookId);
    if (!webhook) return;
    await dropWaitingDeliveries(tx, webhookId, webhook.is_active ? LOG_RETENTION_DAYS * HOURS_A_DAY : MAX_WAIT_HOURS);
  });
}

/**
 * Deletes the deliveries of a webhook that are older than `hours`, and logs them as dropped, except those
 * that a user has requested. The caller must have locked the webhook.
 */
export async function dropWaitingDeliveries(scope: WorkspaceScope, webhookId: number, hours: number): Promise<void> {
  const dropped = {
    name: 'dropped',
    statement: sql`DELETE FROM webhook_deliveries delivery
      WHERE delivery.workspace_id = ${scope} AND delivery.webhook_id = ${webhookId} AND NOT delivery.forced
        AND delivery.created_at < ${scope.now} - make_interval(hours => ${hours})
      RETURNING webhook_id, event_id, event_created_at, delivery_id, original_delivery_id, attempts + 1 AS attempt`,
    columns: sql`webhook_id bigint, event_id bigint, event_created_at timestamptz, delivery_id uuid, original_delivery_id uuid,
      attempt int`,
  };
  const attempt = {
    name: 'attempt',
    statement: sql`SELECT dropped.*, event.event, 0 AS status_code, FALSE AS success, ${DROPPED}::text AS response
      FROM dropped CROSS JOIN ${eventOf(scope, sql`dropped`)} event`,
    columns: sql`${ATTEMPT_COLUMNS}, success boolean`,
  };
  const logs = insertLogs(scope, sql`SELECT * FROM attempt`);
  await scope.inParts([dropped, attempt, ...logs], sql`SELECT 1 FROM logged`);
}
