import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { RETAINED_KEYS } from '../webhook-event.queries.js';

/** How many rows one transaction examines, and how many of them it changes. */
const MAX_EXAMINED = 20_000;
const MAX_REDACTED = 500;

/** What events of a contact show that other people have written. */
export interface WrittenByOthers {
  readonly contact_id: number;
  readonly reply_ids: readonly number[];
  /** `Message-ID`s without angle brackets. */
  readonly message_ids: readonly string[];
}

/** Which events to read are redacted. */
export interface EventsOfPerson {
  readonly contact_id: number;
  readonly written: readonly WrittenByOthers[];
}

/**
 * Redacts the events to read of a contact, and those of others that show what the person has written: of their `data` only
 * IDs stay. It reads the rows of the workspace in the order of their IDs, not their data, which is stored apart; an index on
 * the contacts would cost each message more.
 * @param after the ID of the last row that was examined before
 * @returns that of this time; undefined if no more follow
 */
export async function redactStoredEvents(
  scope: WorkspaceScope,
  { contact_id: contactId, written }: EventsOfPerson,
  after: number,
): Promise<number | undefined> {
  const contacts = [contactId, ...written.map(({ contact_id: id }) => id)];
  const [row] = await scope.query<{ next: number | null }>(
    sql`WITH examined AS MATERIALIZED (
          SELECT batch.id, batch.created_at, batch.contact_ids && ${contacts}::bigint[] AS is_found FROM event_batches batch
          WHERE batch.workspace_id = ${scope} AND batch.id > ${after}::bigint ORDER BY batch.id LIMIT ${MAX_EXAMINED}
        ), found AS MATERIALIZED (
          SELECT id, created_at FROM examined WHERE is_found ORDER BY id LIMIT ${MAX_REDACTED}
        ), redacted AS MATERIALIZED (
          SELECT found.*, ${redactedData(contactId, written)} AS data FROM found
          JOIN event_batches batch
            ON batch.workspace_id = ${scope} AND batch.id = found.id AND batch.created_at = found.created_at
        ), stored AS (
          UPDATE event_batches batch SET data = redacted.data FROM redacted
          WHERE batch.workspace_id = ${scope} AND batch.id = redacted.id AND batch.created_at = redacted.created_at
        )
        SELECT CASE WHEN (SELECT count(*) FROM found) = ${MAX_REDACTED} THEN (SELECT max(id) FROM found)
                    WHEN (SELECT count(*) FROM examined) = ${MAX_EXAMINED} THEN (SELECT max(id) FROM examined)
               END AS next, ${scope}::bigint AS workspace_id`,
  );
  return row?.next ?? undefined;
}

/** SQL of the data of `batch`, without what it tells of the person. Several nodes refuse it in the `SET` of an `UPDATE`. */
function redactedData(contactId: number, written: readonly WrittenByOthers[]): Sql {
  const of = sql`item.element ->> CASE WHEN batch.event LIKE 'contact.%' THEN 'id' ELSE 'contact_id' END`;
  const isWritten = sql`batch.event LIKE 'email.%'
    AND (${of}) = ANY(${written.map(({ contact_id: id }) => String(id))}::text[])
    AND (item.element #>> '{reply,id}' = ANY(${written.flatMap(({ reply_ids: ids }) => ids.map(String))}::text[])
      OR item.element ->> 'message_id' = ANY(${written.flatMap(({ message_ids: ids }) => ids)}::text[]))`;
  return sql`(
    SELECT '[' || string_agg(CASE
      WHEN (${of}) = ${String(contactId)} ${written.length > 0 ? sql`OR (${isWritten})` : sql.empty}
      THEN (SELECT coalesce(json_object_agg(field.key, field.value), '{}'::json)::text
            FROM json_each(item.element) field WHERE field.key = ANY(${RETAINED_KEYS}::text[]))
      ELSE item.element::text END, ',' ORDER BY item.position) || ']'
    FROM json_array_elements(batch.data::json) WITH ORDINALITY AS item (element, position))`;
}
