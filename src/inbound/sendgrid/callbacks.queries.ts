import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** How much one transaction processes: requests, events of known messages, and bytes. At least one request. */
const MAX_BATCH = { callbacks: 200, events: 2_000, bytes: 2_000_000 } as const;

/** A request that is stored. */
export interface StoredCallback {
  readonly id: number;
  readonly body: Buffer;
  readonly received_at: Date;
}

/** Stores requests, in one statement. */
export async function storeCallbacks(
  scope: WorkspaceScope,
  callbacks: readonly { readonly body: Buffer; readonly events: number }[],
): Promise<void> {
  if (callbacks.length === 0) return;
  await scope.execute(
    sql`INSERT INTO provider_callbacks (workspace_id, body, events, received_at)
        SELECT ${scope}, decode(received.body, 'base64'), received.events, ${scope.now} FROM unnest(
          ${callbacks.map(({ body }) => body.toString('base64'))}::text[], ${callbacks.map(({ events }) => events)}::int[]
        ) AS received (body, events)`,
  );
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
  return scope.query<StoredCallback & Record<string, unknown>>(
    sql`WITH locked AS MATERIALIZED (
          SELECT id, events, octet_length(body) AS bytes FROM provider_callbacks
          WHERE workspace_id = ${scope} AND (${which(id)})
          ORDER BY id LIMIT ${MAX_BATCH.callbacks} FOR UPDATE ${waits ? sql`` : sql`SKIP LOCKED`}
        ), numbered AS (
          SELECT id, sum(events) OVER earlier - events AS events, sum(bytes) OVER earlier - bytes AS bytes
          FROM locked WINDOW earlier AS (ORDER BY id)
        )
        DELETE FROM provider_callbacks callback USING numbered
        WHERE callback.workspace_id = ${scope} AND callback.id = numbered.id
          AND numbered.events < ${MAX_BATCH.events} AND numbered.bytes < ${MAX_BATCH.bytes}
        RETURNING callback.id, callback.body, callback.received_at`,
  );
}

const which = (id: number | undefined): Sql =>
  id === undefined ? sql`next_attempt_at <= ${sql.realNow}` : sql`id = ${id}`;

/** Returns the requests that {@link takeCallbacks} would take, about. */
export async function dueCallbackIds(scope: WorkspaceScope): Promise<number[]> {
  const rows = await scope.query<{ id: number }>(
    sql`SELECT id FROM provider_callbacks WHERE workspace_id = ${scope} AND (${which(undefined)})
        ORDER BY id LIMIT ${MAX_BATCH.callbacks}`,
  );
  return rows.map(({ id }) => id);
}

/** Counts a failed attempt to process a request, and postpones the next one. @returns the failed attempts so far */
export async function postponeCallback(scope: WorkspaceScope, id: number): Promise<number> {
  const [row] = await scope.query<{ attempts: number }>(
    sql`UPDATE provider_callbacks SET attempts = attempts + 1,
          next_attempt_at = ${sql.realNow} + make_interval(secs => 15 * power(4, attempts))
        WHERE workspace_id = ${scope} AND id = ${id} RETURNING attempts`,
  );
  return row?.attempts ?? 0;
}

/** Deletes a request that cannot be processed. */
export async function deleteCallback(scope: WorkspaceScope, id: number): Promise<void> {
  await scope.execute(sql`DELETE FROM provider_callbacks WHERE workspace_id = ${scope} AND id = ${id}`);
}

/** Returns how many requests of the workspace wait, and their bytes, up to a number of them. */
export async function countWaiting(
  scope: WorkspaceScope,
  limit: number,
): Promise<{ callbacks: number; bytes: number }> {
  const [row] = await scope.query<{ callbacks: number; bytes: number }>(
    sql`SELECT count(*)::int AS callbacks, coalesce(sum(bytes), 0)::float8 AS bytes FROM (
          SELECT octet_length(body) AS bytes FROM provider_callbacks WHERE workspace_id = ${scope} LIMIT ${limit}) waiting`,
  );
  return row ?? { callbacks: 0, bytes: 0 };
}
