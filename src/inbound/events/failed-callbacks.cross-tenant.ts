import { type Database, type Sql, sql } from '../../platform/database/index.js';

/** An event of a provider that could not be recorded, and is tried again. */
export interface FailedCallback {
  readonly workspace_id: number;
  readonly id: number;
  readonly created_at: Date;
  readonly attempts: number;
  readonly next_attempt_at: Date;
}

/** How many {@link listFailedCallbacks} returns at most. */
export const MAX_LISTED_CALLBACKS = 1_000;

/** SQL of the condition that an attempt to process the row `callback` has failed. */
export const hasFailed: Sql = sql`callback.attempts > 0`;

const isIn = (workspaceId: number | undefined): Sql =>
  workspaceId === undefined ? sql`TRUE` : sql`callback.workspace_id = ${workspaceId}`;

/**
 * Returns the oldest events that could not be recorded, at most {@link MAX_LISTED_CALLBACKS}.
 * @param workspaceId those of all workspaces if undefined
 */
export function listFailedCallbacks(database: Database, workspaceId: number | undefined): Promise<FailedCallback[]> {
  return database.query<FailedCallback & { id: number }>(
    sql`SELECT callback.workspace_id, callback.id, callback.created_at, callback.attempts, callback.next_attempt_at
        FROM provider_callbacks callback WHERE ${hasFailed} AND ${isIn(workspaceId)}
        ORDER BY callback.created_at, callback.id LIMIT ${MAX_LISTED_CALLBACKS}`,
  );
}

/**
 * Makes the events due now that could not be recorded; a worker tries them again within seconds.
 * @param workspaceId those of all workspaces if undefined
 * @returns how many
 */
export function retryFailedCallbacks(database: Database, workspaceId: number | undefined): Promise<number> {
  return database.execute(
    sql`UPDATE provider_callbacks callback SET next_attempt_at = ${sql.realNow} WHERE ${hasFailed} AND ${isIn(workspaceId)}`,
  );
}
