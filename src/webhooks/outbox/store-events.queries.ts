import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { subscribers } from './outbox.queries.js';

/** The largest number of events in a batch. */
export const MAX_BATCH_SIZE = 100;

/** A batch of large events has fewer. */
const MAX_BATCH_CHARACTERS = 262_144;

/** Events of one name to be stored. */
export interface EventsToStore {
  readonly event: string;
  /** The `data` of each as JSON text. */
  readonly data: readonly string[];
  /** The contact that each of them tells of. */
  readonly contacts: readonly (number | null)[];
}

interface NewEvent {
  readonly data: string;
  readonly contact_id: number | null;
}

/**
 * Stores events to be read, in as few rows as possible: a row for each event would be as expensive as the rest of a message.
 * @returns the webhooks that receive the event, see `subscribers`
 */
export async function storeEvents(
  scope: WorkspaceScope,
  { event, data, contacts }: EventsToStore,
): Promise<readonly number[]> {
  const events = data.map((each, index) => ({ data: each, contact_id: contacts[index] ?? null }));
  const batches = [...batchesOf(events)];
  const [found] = await scope.query<{ ids: readonly number[] }>(
    sql`WITH stored AS (
        INSERT INTO event_batches (workspace_id, event, size, data, contact_ids, created_at)
        SELECT ${scope}, ${event}::text, input.size, input.data, input.contacts::bigint[], ${scope.now}
        FROM unnest(${batches.map(({ length }) => length)}::smallint[],
                    ${batches.map((batch) => `[${batch.map(({ data }) => data).join(',')}]`)}::text[],
                    ${batches.map(contactsOf)}::text[]) WITH ORDINALITY AS input (size, data, contacts, position)
        ORDER BY input.position)
      SELECT ${subscribers(scope, event)} AS ids`.prepared(),
  );
  return found?.ids ?? [];
}

/**
 * Stores events that the database encodes, in batches like those of {@link storeEvents}. Not a prepared statement: PostgreSQL
 * looks values up in the hash of an array only if it knows the array when it plans.
 * @param encoded a statement that returns `contact_id` and the `data` of each as JSON text
 */
export async function storeEncodedEvents(scope: WorkspaceScope, event: string, encoded: Sql): Promise<void> {
  await scope.execute(
    sql`INSERT INTO event_batches (workspace_id, event, size, data, contact_ids, created_at)
        SELECT ${scope}, ${event}::text, count(*), '[' || string_agg(item.data, ',' ORDER BY item.contact_id) || ']',
          array_agg(item.contact_id ORDER BY item.contact_id), ${scope.now}
        FROM (SELECT numbered.*, sum(octet_length(numbered.data)) OVER (PARTITION BY numbered.batch
                ORDER BY numbered.contact_id) / ${sql.integer(MAX_BATCH_CHARACTERS)} AS part
              FROM (SELECT encoded.*, (row_number() OVER (ORDER BY encoded.contact_id) - 1)
                      / ${sql.integer(MAX_BATCH_SIZE)} AS batch
                    FROM (${encoded}) encoded) numbered) item
        GROUP BY item.batch, item.part ORDER BY item.batch, item.part`,
  );
}

/** The contacts of a batch, as the text of an array. */
const contactsOf = (batch: readonly NewEvent[]): string =>
  `{${[...new Set(batch.flatMap(({ contact_id: id }) => id ?? []))].join(',')}}`;

function* batchesOf(events: readonly NewEvent[]): Iterable<readonly NewEvent[]> {
  let batch: NewEvent[] = [];
  let characters = 0;
  for (const event of events) {
    const isFull = batch.length === MAX_BATCH_SIZE || characters + event.data.length > MAX_BATCH_CHARACTERS;
    if (isFull && batch.length > 0) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(event);
    characters += event.data.length;
  }
  if (batch.length > 0) yield batch;
}
