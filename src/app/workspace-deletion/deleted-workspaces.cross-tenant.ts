import { type Database, type Sql, sql } from '../../platform/database/index.js';
import type { TenantTable } from '../../platform/tenancy/index.js';

/**
 * Finds the workspaces that no longer exist but have rows in some table. One index lookup per table and workspace,
 * however many rows there are.
 */
export async function findDeletedWorkspaces(database: Database, tables: readonly TenantTable[]): Promise<number[]> {
  const ids = new Set<number>();
  for (const { name } of tables) {
    const table = sql.ref(name);
    const found = await database.query<{ workspace_id: number }>(
      sql`${ownersOf(table)} SELECT owners.workspace_id FROM owners
          WHERE owners.workspace_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM workspaces WHERE workspaces.id = owners.workspace_id)`,
    );
    for (const { workspace_id: id } of found) ids.add(id);
  }
  return [...ids];
}

/** The workspaces of a table as a CTE, which jumps through the index from one to the next. Nodes read all their rows. */
const ownersOf = (table: Sql): Sql =>
  sql.byEngine(
    sql`WITH RECURSIVE owners AS (
          (SELECT workspace_id FROM ${table} ORDER BY workspace_id LIMIT 1)
          UNION ALL
          SELECT (SELECT following.workspace_id FROM ${table} following
                  WHERE following.workspace_id > owners.workspace_id ORDER BY following.workspace_id LIMIT 1)
          FROM owners WHERE owners.workspace_id IS NOT NULL
        )`,
    sql`WITH owners AS (SELECT DISTINCT workspace_id FROM ${table})`,
  );

/** Returns the time of the database. */
export async function currentInstant(database: Database): Promise<Date> {
  const [row] = await database.query<{ instant: Date }>(sql`SELECT clock_timestamp() AS instant`);
  if (!row) throw new Error('The database returned no time.');
  return row.instant;
}

/** Returns whether another session runs a transaction that began before an instant. */
export async function hasTransactions(database: Database, begunBefore: Date): Promise<boolean> {
  const rows = await database.query(
    sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND xact_start < ${begunBefore}
          AND pid <> pg_backend_pid() LIMIT 1`,
  );
  return rows.length > 0;
}
