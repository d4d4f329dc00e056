import { addCounts, cachedCount, type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { BlacklistReason } from './blacklist-entry.entity.js';

/** An address in lower case, and the hash that an entry has instead of it after its person was erased. */
export interface HashedAddress {
  readonly email: string;
  readonly hash: string;
}

/**
 * Adds the addresses that the workspace has not added yet, not even as a hash. They are sorted, so that two calls with the same
 * addresses wait for each other instead of causing a deadlock.
 * @returns the IDs of the new entries
 */
export async function insertMissing(
  scope: WorkspaceScope,
  addresses: readonly HashedAddress[],
  reason: BlacklistReason,
): Promise<number[]> {
  const hashes = sql`${addresses.map(({ hash }) => hash)}::text[]`;
  return scope.queryIds(
    sql`INSERT INTO blacklist_entries (workspace_id, email, reason, is_shared, created_at, updated_at)
        SELECT DISTINCT ${scope}::bigint, input.email, ${reason}, ${!(await scope.isSandbox())}::boolean, ${scope.now},
          ${scope.now}
        FROM unnest(${addresses.map(({ email }) => email)}::text[], ${hashes}) AS input (email, hash)
        WHERE input.hash <> ALL (ARRAY(SELECT erased.email FROM blacklist_entries erased
          WHERE erased.workspace_id = ${scope} AND erased.email = ANY(${hashes})))
        ORDER BY email
        ON CONFLICT (workspace_id, email) DO NOTHING RETURNING id`,
  );
}

/** From now on these entries hold in their workspace alone. */
export async function endSharing(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
  await scope.execute(
    sql`UPDATE blacklist_entries SET is_shared = FALSE WHERE workspace_id = ${scope} AND id = ANY(${[...ids]}::bigint[])`,
  );
}

/** The condition that the row `entry` of any workspace holds in this one. */
export const isInForce = (scope: WorkspaceScope): Sql => sql`(entry.is_shared OR entry.workspace_id = ${scope})`;

/**
 * Deletes entries of the workspace, of all reasons or of one. Every call locks entries in the same order, which prevents
 * deadlocks.
 * @returns the number of deleted entries
 */
export const deleteOwn = (
  scope: WorkspaceScope,
  emails: readonly string[],
  reason: BlacklistReason | null = null,
): Promise<number> =>
  scope.execute(
    sql`WITH own AS (
          SELECT id FROM blacklist_entries
          WHERE workspace_id = ${scope} AND email = ANY(${[...emails]}::text[])
            AND (${reason}::text IS NULL OR reason = ${reason})
          ORDER BY email FOR UPDATE)
        DELETE FROM blacklist_entries entry USING own
        WHERE entry.workspace_id = ${scope} AND entry.id = own.id`,
  );

const COUNTED = 'blacklist_entries_added';
/**
 * Replaces an address of the workspace by its hash; deletes the entry if there is one with the hash already.
 * @param hash see `BlacklistHashes`
 */
export async function replaceByHash(scope: WorkspaceScope, { email, hash }: HashedAddress): Promise<void> {
  await scope.execute(
    sql`DELETE FROM blacklist_entries entry WHERE entry.workspace_id = ${scope} AND entry.email = ${email}
          AND EXISTS (SELECT 1 FROM blacklist_entries erased WHERE erased.workspace_id = ${scope} AND erased.email = ${hash})`,
  );
  await scope.execute(
    sql`UPDATE blacklist_entries SET email = ${hash}, updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND email = ${email}`,
  );
}

/** The current day (UTC) of the workspace, counted from 1970. */
const today = (scope: WorkspaceScope): Sql => sql`((${scope.now} AT TIME ZONE 'UTC')::date - DATE '1970-01-01')`;

/** Adds to the number of entries that the workspace has created today, which deleting an entry does not reduce. */
export async function countAdded(scope: WorkspaceScope, added: number): Promise<void> {
  await scope.execute(addCounts(sql`SELECT ${scope}, ${COUNTED}, ${today(scope)}, ${added}`));
}

/** @returns SQL for the number of entries that the workspace has created today */
export const addedToday = (scope: WorkspaceScope): Sql => cachedCount(scope, COUNTED, today(scope));
