import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/**
 * SQL for the IDs of the active webhooks that are subscribed to an event, as an array. Locks them against deletion until the
 * transaction ends.
 */
export const subscribers = (scope: WorkspaceScope, event: string): Sql =>
  sql`ARRAY(SELECT id FROM webhooks WHERE workspace_id = ${scope} AND is_active AND ${event}::text = ANY(events)
            ORDER BY id FOR KEY SHARE)`;

/** Returns what {@link subscribers} finds. */
export async function findSubscribers(scope: WorkspaceScope, event: string): Promise<readonly number[]> {
  const [found] = await scope.query<{ ids: readonly number[] }>(
    sql`SELECT ${subscribers(scope, event)} AS ids`.prepared(),
  );
  return found?.ids ?? [];
}

/** New events of one name. */
export interface NewEvents {
  readonly event: string;
  /** JSON texts, exactly as they will be sent. */
  readonly bodies: readonly string[];
  /** The contact that each of them tells of. */
  readonly contacts: readonly (number | null)[];
}

/** Inserts events, and for each event a delivery per webhook. */
export async function insertEvents(
  scope: WorkspaceScope,
  { event, bodies, contacts }: NewEvents,
  webhookIds: readonly number[],
): Promise<void> {
  const inserted = {
    name: 'inserted',
    statement: sql`INSERT INTO webhook_events (workspace_id, event, contact_id, payload, created_at)
      SELECT ${scope}, ${event}::text, contact_id, body::json, ${scope.now}
      FROM unnest(${[...bodies]}::text[], ${[...contacts]}::bigint[]) WITH ORDINALITY AS input (body, contact_id, position)
      ORDER BY position
      RETURNING id, created_at`,
    columns: sql`id bigint, created_at timestamptz`,
  };
  await scope.inParts(
    [inserted],
    sql`INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id,
          next_attempt_at, created_at)
        SELECT ${scope}, webhook.id, inserted.id, inserted.created_at, gen_random_uuid(), ${scope.now}, ${scope.now}
        FROM inserted CROSS JOIN unnest(${[...webhookIds]}::bigint[]) AS webhook (id)
        ORDER BY inserted.id, webhook.id`.prepared(),
  );
}
