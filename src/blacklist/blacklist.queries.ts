import { cachedCount, type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { BlacklistReason } from './blacklist-entry.entity.js';

/**
 * Adds the addresses that the workspace has not added yet. They are sorted, so that two calls with the same addresses
 * wait for each other instead of causing a deadlock.
 * @returns the number of new addresses
 */
export const insertMissing = (
  scope: WorkspaceScope,
  emails: readonly string[],
  reason: BlacklistReason,
): Promise<number> =>
  scope.execute(
    sql`INSERT INTO blacklist_entries (workspace_id, email, reason, created_at, updated_at)
        SELECT ${scope}, email, ${reason}, ${scope.now}, ${scope.now} FROM (SELECT DISTINCT unnest(${[...emails]}::text[]) AS email) input
        ORDER BY email
        ON CONFLICT (workspace_id, email) DO NOTHING`,
  );

/**
 * Deletes entries of the workspace. Every call locks entries in the same order, which prevents deadlocks.
 * @returns the number of deleted entries
 */
export const deleteOwn = (scope: WorkspaceScope, emails: readonly string[]): Promise<number> =>
  scope.execute(
    sql`WITH own AS (
          SELECT id FROM blacklist_entries
          WHERE workspace_id = ${scope} AND email = ANY(${[...emails]}::text[])
          ORDER BY email FOR UPDATE)
        DELETE FROM blacklist_entries entry USING own
        WHERE entry.workspace_id = ${scope} AND entry.id = own.id`,
  );

const COUNTED = 'blacklist_entries_added';
/** The current day (UTC) of the workspace, counted from 1970. */
const today = (scope: WorkspaceScope): Sql => sql`((${scope.now} AT TIME ZONE 'UTC')::date - DATE '1970-01-01')`;

/** Adds to the number of entries that requests have created today, which deleting an entry does not reduce. */
export async function countAdded(scope: WorkspaceScope, added: number): Promise<void> {
  await scope.execute(
    sql`INSERT INTO record_counts (workspace_id, counted, owner_id, total)
        SELECT ${scope}, ${COUNTED}, ${today(scope)}, ${added}`,
  );
}

/** @returns SQL for the number of entries that requests have created today */
export const addedToday = (scope: WorkspaceScope): Sql => cachedCount(scope, COUNTED, today(scope));
