import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type CallbackBody, isDue } from './callbacks.queries.js';

/** For how long what cannot be recorded is tried again. Its provider does not send it again. */
const RETENTION_DAYS = 7;
/** After the first failure, then four times as long each time, up to {@link MAX_PAUSE_SECONDS}. */
const FIRST_PAUSE_SECONDS = 15;
const MAX_PAUSE_SECONDS = 6 * 3_600;

/** Locks a waiting request. @returns what it is; undefined if another process has processed or postponed it */
export async function lockCallback(tx: WorkspaceScope, id: number): Promise<CallbackBody | undefined> {
  return tx.queryOne<CallbackBody>(
    sql`SELECT provider, body FROM provider_callbacks WHERE workspace_id = ${tx} AND id = ${id} AND ${isDue} FOR UPDATE`,
  );
}

/** Replaces a request by requests with one of its events each. @returns their IDs, in the order of the events */
export async function splitCallback(tx: WorkspaceScope, id: number, events: readonly unknown[]): Promise<number[]> {
  const bodies = events.map((event) => Buffer.from(JSON.stringify([event])).toString('base64'));
  return tx.queryIds(
    sql`WITH split AS (
          DELETE FROM provider_callbacks WHERE workspace_id = ${tx} AND id = ${id} RETURNING provider, received_at, created_at)
        INSERT INTO provider_callbacks (workspace_id, provider, body, events, received_at, created_at)
        SELECT ${tx}, split.provider, decode(event.body, 'base64'), 1, split.received_at, split.created_at
        FROM split CROSS JOIN unnest(${bodies}::text[]) WITH ORDINALITY AS event (body, number) ORDER BY event.number
        RETURNING id`,
  );
}

/**
 * Counts a failed attempt to process a request, and postpones the next one, or deletes the request if it was stored seven days
 * ago. If two processes have failed with it at the same time, that is one attempt.
 * @returns whether it was deleted; undefined if another process has counted this attempt
 */
export async function postponeOrDelete(scope: WorkspaceScope, id: number): Promise<boolean | undefined> {
  const pause = sql`least(${FIRST_PAUSE_SECONDS} * power(4, least(callback.attempts, 10)), ${MAX_PAUSE_SECONDS})`;
  const [row] = await scope.query<{ is_over: boolean }>(
    sql`WITH failed AS MATERIALIZED (
          SELECT id, created_at < ${sql.realNow} - make_interval(days => ${RETENTION_DAYS}) AS is_over
          FROM provider_callbacks WHERE workspace_id = ${scope} AND id = ${id} AND ${isDue} FOR UPDATE
        ), deleted AS (
          DELETE FROM provider_callbacks callback USING failed
          WHERE callback.workspace_id = ${scope} AND callback.id = failed.id AND failed.is_over
        ), postponed AS (
          UPDATE provider_callbacks callback SET attempts = least(callback.attempts + 1, 30000),
            next_attempt_at = ${sql.later(sql.realNow, sql`make_interval(secs => ${pause})`)}
          FROM failed WHERE callback.workspace_id = ${scope} AND callback.id = failed.id AND NOT failed.is_over
        )
        SELECT is_over FROM failed`,
  );
  return row?.is_over;
}
