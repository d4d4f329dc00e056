import { readFile } from 'node:fs/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { type PlacedTable, readPlacements } from './placements.js';

const FUNCTIONS_ON_SHARDS = new URL('../migrations/initial-schema/functions-on-shards.sql', import.meta.url);

/** @returns whether the server has the extension Citus in this database */
export async function hasCitus(source: Pick<DataSource, 'query'>): Promise<boolean> {
  const rows = await source.query<unknown[]>(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  return rows.length > 0;
}

/**
 * Places all tables that are not where they belong: by their workspace on the nodes, or copied to all. Each table is placed in
 * a transaction of its own, so that a call after an interruption goes on with the others.
 * @param onTable is called before each table
 * @returns the tables that were placed
 */
export async function distribute(
  source: DataSource,
  onTable: (table: PlacedTable) => void = () => undefined,
): Promise<PlacedTable[]> {
  const session = source.createQueryRunner();
  try {
    // A trigger of ours writes to the shards beside its own, which are on the same node.
    await session.query('SET citus.enable_unsafe_triggers = on');
    await session.query(await readFile(FUNCTIONS_ON_SHARDS, 'utf8'));
    const tables = await readPlacements(session);
    const misplaced = tables.filter(({ placement, current }) => placement !== current);
    let beside = tables.find(({ current }) => current === 'distributed')?.table;
    for (const table of misplaced) {
      onTable(table);
      await place(session, table, beside);
      if (table.placement === 'distributed') beside ??= table.table;
    }
    await session.query('RESET citus.enable_unsafe_triggers');
    return misplaced;
  } finally {
    await session.release();
  }
}

/** @param beside a table that is distributed already: the rows of a workspace are on the same node in both */
async function place(
  session: QueryRunner,
  { table, placement }: PlacedTable,
  beside: string | undefined,
): Promise<void> {
  if (placement === 'reference') await session.query('SELECT create_reference_table($1)', [table]);
  if (placement === 'distributed')
    await session.query(`SELECT create_distributed_table($1, 'workspace_id', colocate_with => $2)`, [
      table,
      beside ?? 'none',
    ]);
}
