import { readFile } from 'node:fs/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { isDistributed, isMisplaced, type PlacedTable, readPlacements } from './placements.js';
import { withDdlOnNodes } from './session.js';

const FUNCTIONS_ON_SHARDS = new URL('../migrations/initial-schema/functions-on-shards.sql', import.meta.url);

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
    return await withDdlOnNodes(session, async () => {
      if ((await otherFunctions(session)).length > 0) await session.query(await readFile(FUNCTIONS_ON_SHARDS, 'utf8'));
      const placed = await placeAll(session, onTable);
      await deleteLocalRows(session);
      return placed;
    });
  } finally {
    await session.release();
  }
}

/**
 * After migrations: they create tables on the coordinator, and functions for one server.
 * @returns the tables that were placed; none if the database is not distributed
 */
export async function distributeNew(source: DataSource): Promise<PlacedTable[]> {
  return (await isDistributed(source)) ? distribute(source) : [];
}

/** @returns the names of the functions that are not those for shards */
export async function otherFunctions(database: Pick<DataSource, 'query'>): Promise<string[]> {
  const text = await readFile(FUNCTIONS_ON_SHARDS, 'utf8');
  const names = [...text.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm)].map(([, name]) => name ?? '');
  const stored = await database.query<{ name: string; body: string }[]>(
    `SELECT proname::text AS name, prosrc AS body FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname = ANY($1)`,
    [names],
  );
  const isStored = (name: string) => stored.some((one) => one.name === name && text.includes(one.body));
  return names.filter((name) => !isStored(name));
}

async function placeAll(session: QueryRunner, onTable: (table: PlacedTable) => void): Promise<PlacedTable[]> {
  const tables = await readPlacements(session);
  const misplaced = tables.filter(isMisplaced);
  let beside = tables.find(({ current }) => current === 'distributed')?.table;
  for (const table of misplaced) {
    onTable(table);
    await place(session, table, beside);
    if (table.placement === 'distributed') beside ??= table.table;
  }
  return misplaced;
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

/** Rows that were copied to the nodes remain on the coordinator, where no statement finds them. */
async function deleteLocalRows(session: Pick<DataSource, 'query'>): Promise<void> {
  const copied = await session.query<{ name: string }[]>(
    `SELECT logicalrelid::text AS name FROM pg_dist_partition
     JOIN pg_class ON pg_class.oid = logicalrelid
     WHERE relkind = 'r' AND partmethod IN ('h', 'n') AND pg_relation_size(logicalrelid) > 0`,
  );
  for (const { name } of copied) await session.query('SELECT truncate_local_data_after_distributing_table($1)', [name]);
}
