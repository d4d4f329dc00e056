import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** Returns the active webhooks that are subscribed to an event. Locks them against deletion until the transaction ends. */
export async function findSubscribers(scope: WorkspaceScope, event: string): Promise<number[]> {
  const webhooks = await scope.query<{ id: number }>(
    sql`SELECT id FROM webhooks WHERE workspace_id = ${scope} AND is_active AND ${event}::text = ANY(events)
        ORDER BY id FOR KEY SHARE`.prepared(),
  );
  return webhooks.map(({ id }) => id);
}

/** Inserts events, and for each event a delivery per webhook. @param bodies JSON texts, exactly as they will be sent */
export async function insertEvents(
  scope: WorkspaceScope,
  event: string,
  bodies: readonly string[],
  webhookIds: readonly number[],
): Promise<void> {
  await scope.execute(
    sql`WITH inserted AS (
          INSERT INTO webhook_events (workspace_id, event, payload)
          SELECT ${scope}, ${event}::text, body::json FROM unnest(${[...bodies]}::text[]) WITH ORDINALITY AS input (body, position)
          ORDER BY position
          RETURNING id, created_at
        )
        INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id)
        SELECT ${scope}, webhook.id, inserted.id, inserted.created_at, gen_random_uuid()
        FROM inserted CROSS JOIN unnest(${[...webhookIds]}::bigint[]) AS webhook (id)
        ORDER BY inserted.id, webhook.id`.prepared(),
  );
}
