import type { EventProvider } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ReportedMessageRef } from '../../sending/index.js';

/** How much one transaction processes: requests, events of known messages, and bytes. At least one request. */
const MAX_BATCH = { callbacks: 200, events: 2_000, bytes: 2_000_000 } as const;

export interface CallbackBody {
  /** The type of its accounts. */
  readonly provider: string;
  readonly body: Buffer;
}

export interface StoredCallback extends CallbackBody {
  readonly id: number;
  readonly received_at: Date;
}

export interface NewCallback extends CallbackBody {
  /** The messages that its events may be about. */
  readonly messages: readonly ReportedMessageRef[];
}

/**
 * Stores those requests of which an event is about a message of the workspace, in one statement.
 * @returns for each request, how many of its events are
 */
export async function storeCallbacks(scope: WorkspaceScope, callbacks: readonly NewCallback[]): Promise<number[]> {
  const references = callbacks.flatMap(({ messages }, callback) =>
    messages.map((message) => ({ ...message, callback })),
  );
  if (references.length === 0) return callbacks.map(() => 0);
  const enrollments = references.map((each) => each.enrollment_id);
  const matched = {
    name: 'matched',
    with: sql`known AS MATERIALIZED (
        SELECT DISTINCT enrollment_id, split_part(message_id, '@', 1) AS token FROM all_messages
        WHERE workspace_id = ${scope} AND enrollment_id = ANY(${[...new Set(enrollments)]}::bigint[])
          AND message_id IS NOT NULL
      )`,
    statement: sql`SELECT reported.callback, count(*)::int AS events
      FROM unnest(${references.map(({ callback }) => callback)}::int[], ${enrollments}::bigint[],
        ${references.map(({ token }) => token)}::text[]) AS reported (callback, enrollment_id, token)
      JOIN known ON known.enrollment_id = reported.enrollment_id AND known.token = reported.token
      GROUP BY reported.callback`,
    columns: sql`callback int, events int`,
  };
  const stored = {
    name: 'stored',
    statement: sql`INSERT INTO provider_callbacks (workspace_id, provider, body, events, received_at)
      SELECT ${scope}, received.provider, decode(received.body, 'base64'), matched.events, ${scope.now}
      FROM unnest(${callbacks.map(({ provider }) => provider)}::text[],
        ${callbacks.map(({ body }) => body.toString('base64'))}::text[])
        WITH ORDINALITY AS received (provider, body, number)
      JOIN matched ON matched.callback = received.number - 1 ORDER BY received.number`,
  };
  const rows = await scope.inParts<{ callback: number; events: number }>(
    [matched, stored],
    sql`SELECT callback, events FROM matched`.prepared(),
  );
  const events = new Map(rows.map((row) => [row.callback, row.events]));
  return callbacks.map((_, index) => events.get(index) ?? 0);
}

/** Which of the waiting requests a transaction takes. */
export interface CallbackChoice {
  /** Only this one. */
  readonly id?: number;
  /** Waits for those that another process is processing, instead of leaving them out. */
  readonly waits: boolean;
}

/**
 * Deletes the oldest waiting requests and returns them: if the transaction is rolled back, they are there again. So no
 * request is processed twice, and none is lost with its process.
 */
export function takeCallbacks(scope: WorkspaceScope, { id, waits }: CallbackChoice): Promise<StoredCallback[]> {
  return scope.query<StoredCallback>(
    sql`WITH locked AS MATERIALIZED (
          SELECT id, events, octet_length(body) AS bytes FROM provider_callbacks
          WHERE workspace_id = ${scope} AND ${isDue} AND ${id === undefined ? isFirst(scope) : sql`id = ${id}`}
          ORDER BY id LIMIT ${MAX_BATCH.callbacks} FOR UPDATE ${waits ? sql`` : sql`SKIP LOCKED`}
        ), numbered AS (
          SELECT id, sum(events) OVER earlier - events AS events, sum(bytes) OVER earlier - bytes AS bytes
          FROM locked WINDOW earlier AS (ORDER BY id)
        )
        DELETE FROM provider_callbacks callback USING numbered
        WHERE callback.workspace_id = ${scope} AND callback.id = numbered.id
          AND numbered.events < ${MAX_BATCH.events} AND numbered.bytes < ${MAX_BATCH.bytes}
        RETURNING callback.id, callback.provider, callback.body, callback.received_at`,
  );
}

/** The condition that a request is to be processed now. */
export const isDue: Sql = sql`next_attempt_at <= ${sql.realNow}`;

/** The condition that a request is processed before others: while there are some of which no attempt has failed, these. */
const isFirst = (scope: WorkspaceScope): Sql => sql`(attempts = 0 OR NOT EXISTS (
    SELECT 1 FROM provider_callbacks WHERE workspace_id = ${scope} AND attempts = 0 AND ${isDue}))`;

/** Returns the requests that {@link takeCallbacks} would take, about. */
export async function dueCallbackIds(scope: WorkspaceScope): Promise<number[]> {
  return scope.queryIds(
    sql`SELECT id FROM provider_callbacks WHERE workspace_id = ${scope} AND ${isDue} AND ${isFirst(scope)}
        ORDER BY id LIMIT ${MAX_BATCH.callbacks}`,
  );
}

export interface StoredCounts {
  /** Requests of which no attempt has failed. */
  readonly callbacks: number;
  /** Their bytes. */
  readonly bytes: number;
  /** Requests of which an attempt has failed: single events. */
  readonly failed: number;
}

/** Counts what is stored of the workspace, up to a number of each kind. */
export async function countStored(
  scope: WorkspaceScope,
  limits: Readonly<Record<'callbacks' | 'failed', number>>,
): Promise<StoredCounts> {
  const [row] = await scope.query<StoredCounts>(
    sql`SELECT count(*)::int AS callbacks, coalesce(sum(bytes), 0)::float8 AS bytes, (
          SELECT count(*)::int FROM (SELECT 1 FROM provider_callbacks
            WHERE workspace_id = ${scope} AND attempts > 0 LIMIT ${limits.failed}) counted) AS failed
        FROM (SELECT octet_length(body) AS bytes FROM provider_callbacks
          WHERE workspace_id = ${scope} AND attempts = 0 LIMIT ${limits.callbacks}) waiting`,
  );
  return row ?? { callbacks: 0, bytes: 0, failed: 0 };
}

/** Returns the keys that verify the events of the accounts of a provider from which messages were sent. */
export async function findSenderKeys(
  scope: WorkspaceScope,
  { type, events }: EventProvider,
  messages: readonly ReportedMessageRef[],
): Promise<string[]> {
  if (messages.length === 0) return [];
  const key = sql.ref(`account.${events.key}`);
  const rows = await scope.query<{ key: string }>(
    sql`SELECT DISTINCT ${key} AS key FROM all_messages message
        JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = message.email_account_id
        WHERE message.workspace_id = ${scope}
          AND message.enrollment_id = ANY(${messages.map((message) => message.enrollment_id)}::bigint[])
          AND account.type = ${type} AND ${key} IS NOT NULL`,
  );
  return rows.map((row) => row.key);
}
