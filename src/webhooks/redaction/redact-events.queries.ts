import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { WrittenByOthers } from '../feed/redact-stored-events.queries.js';
import { redactedBody } from '../webhook-event.queries.js';

/**
 * Redacts events for webhooks of a contact, oldest first: of their bodies only IDs stay, and nothing of what receivers have
 * responded. Their deliveries get new IDs, so that an attempt that has read the body before is neither made nor recorded any
 * more.
 * @param limit how many events
 * @returns how many there were
 */
export const redactEvents = (scope: WorkspaceScope, contactId: number, limit: number): Promise<number> =>
  redact(scope, sql`contact_id = ${contactId}`, limit);

/** Redacts the events for webhooks of a contact about replies and messages. */
export async function redactReplyEvents(scope: WorkspaceScope, written: WrittenByOthers): Promise<void> {
  const isAbout = sql`contact_id = ${written.contact_id} AND event LIKE 'email.%'
    AND ((payload #>> '{data,reply,id}')::bigint = ANY(${[...written.reply_ids]}::bigint[])
      OR payload #>> '{data,message_id}' = ANY(${[...written.message_ids]}::text[]))`;
  await redact(scope, isAbout, MAX_REPLY_EVENTS);
}

/** More than one contact has of a few replies. */
const MAX_REPLY_EVENTS = 100_000;

async function redact(scope: WorkspaceScope, which: Sql, limit: number): Promise<number> {
  const redacted = {
    name: 'redacted',
    with: sql`batch AS MATERIALIZED (
        SELECT id, created_at, ${redactedBody(scope, sql`event`)} AS payload FROM webhook_events event
        WHERE workspace_id = ${scope} AND ${which} ORDER BY id LIMIT ${limit} FOR UPDATE
      )`,
    statement: sql`UPDATE webhook_events event SET contact_id = NULL, payload = batch.payload
      FROM batch WHERE event.workspace_id = ${scope} AND event.id = batch.id AND event.created_at = batch.created_at
      RETURNING event.id, event.created_at`,
    columns: sql`id bigint, created_at timestamptz`,
  };
  const logs = {
    name: 'logs',
    statement: sql`UPDATE webhook_logs log SET response = '' FROM redacted
      WHERE log.workspace_id = ${scope} AND log.event_id = redacted.id AND log.created_at >= redacted.created_at
        AND log.response <> ''`,
  };
  const waiting = {
    name: 'waiting',
    statement: sql`DELETE FROM webhook_deliveries delivery USING redacted
      WHERE delivery.workspace_id = ${scope} AND delivery.event_id = redacted.id RETURNING delivery.*`,
    rowsOf: 'webhook_deliveries',
  };
  const replaced = {
    name: 'replaced',
    statement: sql`INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id,
        original_delivery_id, attempts, next_attempt_at, forced, created_at)
      SELECT ${scope}, webhook_id, event_id, event_created_at, delivery_id, original_delivery_id, attempts, next_attempt_at,
        forced, created_at
      FROM waiting ORDER BY id`,
  };
  const [row] = await scope.inParts<{ redacted: number }>(
    [redacted, logs, waiting, replaced],
    sql`SELECT count(*)::int AS redacted, ${scope}::bigint AS workspace_id FROM redacted`,
  );
  return row?.redacted ?? 0;
}
