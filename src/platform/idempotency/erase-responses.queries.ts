import { type Sql, sql } from '../database/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';

/** The key of a stored response in a workspace. */
export interface KeyPosition {
  readonly token_id: number;
  readonly path: string;
  readonly key: string;
}

/** A stored response, encrypted. */
export interface StoredKey extends KeyPosition {
  readonly response: string | null;
}

/** How many are read at a time: some megabytes at most. */
const BATCH_SIZE = 100;

/** Returns the next stored responses of a workspace, in the order of their keys. Those of running requests are not stored yet. */
export function responsesAfter(scope: WorkspaceScope, last: KeyPosition | null): Promise<StoredKey[]> {
  const rest = last ? sql`(token_id, path, key) > (${last.token_id}::bigint, ${last.path}, ${last.key})` : sql`TRUE`;
  return scope.query<StoredKey & Record<string, unknown>>(
    sql`SELECT token_id, path, key, response FROM idempotency_keys
        WHERE workspace_id = ${scope} AND ${rest} AND (reserved_until IS NULL OR reserved_until < ${sql.realNow})
        ORDER BY token_id, path, key LIMIT ${BATCH_SIZE}`,
  );
}

/**
 * Removes responses, and the digests of their bodies, from which they could be guessed; that their requests were done stays
 * known.
 */
export async function eraseResponses(scope: WorkspaceScope, rows: readonly StoredKey[]): Promise<void> {
  if (rows.length === 0) return;
  await scope.execute(
    sql`UPDATE idempotency_keys stored SET response = NULL, body_hash = '' FROM ${valuesOf(rows)}
        WHERE stored.workspace_id = ${scope} AND ${isSame}`,
  );
}

/** Deletes keys that contain personal data themselves. */
export async function deleteResponses(scope: WorkspaceScope, rows: readonly StoredKey[]): Promise<void> {
  if (rows.length === 0) return;
  await scope.execute(
    sql`DELETE FROM idempotency_keys stored USING ${valuesOf(rows)}
        WHERE stored.workspace_id = ${scope} AND ${isSame}`,
  );
}

const valuesOf = (rows: readonly StoredKey[]): Sql =>
  sql`unnest(${rows.map((row) => row.token_id)}::bigint[], ${rows.map((row) => row.path)}::text[],
    ${rows.map((row) => row.key)}::text[]) AS erased (token_id, path, key)`;
const isSame: Sql = sql`stored.token_id = erased.token_id AND stored.path = erased.path AND stored.key = erased.key`;
