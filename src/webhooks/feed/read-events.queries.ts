import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MAX_BATCH_SIZE } from '../outbox/store-events.queries.js';
import { contactIn, contactsBeingErased, RETAINED_KEYS } from '../webhook-event.queries.js';

/** An event as it is listed. */
export interface StoredEvent {
  readonly id: number;
  readonly event: string;
  readonly data: object;
  readonly created_at: Date;
}

/** Which events are read. */
export interface EventRange {
  /** Only events with larger IDs. */
  readonly after: number;
  readonly limit: number;
  /** Only events with these names; undefined for all. */
  readonly names?: readonly string[] | undefined;
}

/** Events in the order of their IDs. */
export interface EventList {
  readonly events: readonly StoredEvent[];
  /** Whether more events may follow at once: the list has as many events, or as many bytes, as it may have. */
  readonly isFull: boolean;
}

/** A page has no further batch beyond this size, because its JSON is parsed at one go. */
const MAX_BYTES = 2_097_152;

interface BatchRow {
  readonly first_id: number;
  readonly event: string;
  readonly created_at: Date;
  readonly data: readonly object[];
  readonly is_last: boolean;
  /** Contacts whose erasure is not complete; null if there are none. */
  readonly erased_ids: readonly number[] | null;
}

/**
 * The numbered batches with an event after `after`, the first ones. A batch can begin before.
 * @param name only those of this event
 */
const batchesAfter = (scope: WorkspaceScope, { after, limit }: EventRange, name?: Sql): Sql => {
  const first = sql`${after - MAX_BATCH_SIZE}::bigint`;
  // The pair is the order of an index with the name. With `event = name`, a planner that knows of one name only, because
  // no other is in its sample, would read the batches of all names.
  const [isAfter, order] = name
    ? [
        sql`(batch.event, batch.first_id) > (${name}, ${first}) AND batch.event <= ${name}`,
        sql`batch.event, batch.first_id`,
      ]
    : [sql`batch.first_id > ${first}`, sql`batch.first_id`];
  return sql`SELECT batch.id, batch.created_at, batch.first_id, batch.size, octet_length(batch.data) AS bytes
      FROM event_batches batch
      WHERE batch.workspace_id = ${scope} AND ${isAfter} AND batch.first_id + batch.size - 1 > ${after}::bigint
      ORDER BY ${order} LIMIT ${limit}`;
};

/**
 * The statement of {@link readEvents}. It finds the batches of the page by an index, without their data; with names, the
 * first ones of each name, so that events that are rare are found as fast as others.
 */
export function eventsStatement(scope: WorkspaceScope, range: EventRange): Sql {
  const found = range.names
    ? sql`SELECT of_name.* FROM unnest(${[...range.names]}::text[]) AS requested (name)
          CROSS JOIN LATERAL (${batchesAfter(scope, range, sql`requested.name`)}) of_name
          ORDER BY of_name.first_id LIMIT ${range.limit}`
    : batchesAfter(scope, range);
  return sql`WITH found AS MATERIALIZED (${found}), counted AS (
        SELECT found.*, sum(size) OVER w - size AS events_before, sum(bytes) OVER w - bytes AS bytes_before,
          lead(id) OVER w IS NULL AS is_last
        FROM found WINDOW w AS (ORDER BY first_id)
      )
      SELECT counted.first_id, counted.is_last, stored.event, stored.created_at, stored.data,
        ${contactsBeingErased(scope)} AS erased_ids
      FROM counted CROSS JOIN LATERAL (
        SELECT batch.event, batch.created_at, batch.data::json AS data FROM event_batches batch
        WHERE batch.workspace_id = ${scope} AND batch.id = counted.id AND batch.created_at = counted.created_at LIMIT 1) stored
      WHERE counted.events_before < ${range.limit + MAX_BATCH_SIZE}::bigint
        AND (counted.bytes_before < ${MAX_BYTES}::bigint)
      ORDER BY counted.first_id`;
}

/** Reads events that have IDs, in one statement, whose cost depends on the size of the page only. */
export async function readEvents(scope: WorkspaceScope, range: EventRange): Promise<EventList> {
  const rows = await scope.query<BatchRow & { first_id: number }>(eventsStatement(scope, range));
  const events = rows
    .flatMap(({ first_id: first, event, created_at, data, erased_ids: erased }) =>
      data.map((each, index) => ({ id: first + index, event, data: shownData(event, each, erased), created_at })),
    )
    .filter(({ id }) => id > range.after);
  const isCut = rows.length > 0 && rows.at(-1)?.is_last === false;
  return { events: events.slice(0, range.limit), isFull: isCut || events.length >= range.limit };
}

/** Of the events of a contact that is being erased only IDs are shown, also before they are found. */
function shownData(event: string, data: object, erasedIds: readonly number[] | null): object {
  const contact = erasedIds && contactIn(event, data);
  if (contact === null || !erasedIds?.includes(contact)) return data;
  return Object.fromEntries(Object.entries(data).filter(([key]) => RETAINED_KEYS.includes(key)));
}
