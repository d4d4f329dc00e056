import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** The active webhooks that hear of an event. They cannot be deleted until the transaction ends. */
export async function findSubscribers(scope: WorkspaceScope, event: string): Promise<number[]> {
  const webhooks = await scope.query<{ id: number }>(
    sql`SELECT id FROM webhooks WHERE workspace_id = ${scope} AND is_active AND ${event}::text = ANY(events)
        ORDER BY id FOR KEY SHARE`.prepared(),
  );
  return webhooks.map(({ id }) => id);
}

/** Writes events, and a delivery of each to each of the webhooks. @param bodies JSON texts, as they will be sent */
export async function insertEvents(
  scope: WorkspaceScope,
  event: string,
  bodies: readonly string[],
  webhookIds: readonly number[],
): Promise<void> {
  await scope.execute(
    sql`WITH raised AS (
          INSERT INTO webhook_events (workspace_id, event, payload)
          SELECT ${scope}, ${event}::text, body::json FROM unnest(${[...bodies]}::text[]) WITH ORDINALITY AS given (body, position)
          ORDER BY position
          RETURNING id, created_at
        )
        INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id)
        SELECT ${scope}, webhook.id, raised.id, raised.created_at, gen_random_uuid()
        FROM raised CROSS JOIN unnest(${[...webhookIds]}::bigint[]) AS webhook (id)
        ORDER BY raised.id, webhook.id`.prepared(),
  );
}
