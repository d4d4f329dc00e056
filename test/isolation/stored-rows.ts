import type { TestDatabase } from '../support/test-database.js';

/** A digest of each table's rows of a workspace, without `last_used_at`, which every request changes. */
export async function storedRows(database: TestDatabase, workspaceId: number): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE column_name = 'workspace_id' AND table_schema = 'public' ORDER BY 1`,
  );
  const digests = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(row, '|' ORDER BY row), '')) AS digest
       FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${name} t WHERE workspace_id = $1) rows`,
  );
  const rows = await database.query<{ name: string; digest: string }>(digests.join(' UNION ALL '), [workspaceId]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
