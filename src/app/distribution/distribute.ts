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
      await copyFunctions(session);
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

/** Those that were created before the extension are not on the nodes, which copy by themselves only what a table names. */
async function copyFunctions(session: Pick<DataSource, 'query'>): Promise<void> {
  const missing = await session.query<{ name: string }[]>(
    `SELECT own.oid::regprocedure::text AS name FROM pg_proc own
     WHERE own.pronamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = own.oid AND classid = 'pg_proc'::regclass AND deptype = 'e')
       AND NOT EXISTS (SELECT 1 FROM pg_dist_object WHERE classid = 'pg_proc'::regclass AND objid = own.oid)`,
  );
  for (const { name } of missing) await session.query('SELECT create_distributed_function($1)', [name]);
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

/**
 * Places a table without its triggers, which would count the rows that are copied once more, and write to tables that are not
 * there yet.
 * @param beside a table that is distributed already: the rows of a workspace are on the same node in both
 */
async function place(
  session: QueryRunner,
  { table, placement }: PlacedTable,
  beside: string | undefined,
): Promise<void> {
  await session.startTransaction();
  try {
    const triggers = await triggersOf(session, table);
    for (const { name } of triggers) await session.query(`DROP TRIGGER ${name} ON ${table}`);
    if (placement === 'reference') await session.query('SELECT create_reference_table($1)', [table]);
    if (placement === 'distributed')
      await session.query(`SELECT create_distributed_table($1, 'workspace_id', colocate_with => $2)`, [
        table,
        beside ?? 'none',
      ]);
    for (const { definition } of triggers) await session.query(definition);
    await session.commitTransaction();
  } catch (error) {
    await session.rollbackTransaction();
    throw error;
  }
}

const triggersOf = (
  session: Pick<DataSource, 'query'>,
  table: string,
): Promise<{ readonly name: string; readonly definition: string }[]> =>
  session.query(
    `SELECT quote_ident(tgname) AS name, pg_get_triggerdef(oid) AS definition FROM pg_trigger
     WHERE tgrelid = $1::regclass AND NOT tgisinternal ORDER BY tgname`,
    [table],
  );

/** Rows that were copied to the nodes remain on the coordinator, where no statement finds them. */
async function deleteLocalRows(session: Pick<DataSource, 'query'>): Promise<void> {
  const copied = await session.query<{ name: string }[]>(
    `SELECT logicalrelid::text AS name FROM pg_dist_partition
     JOIN pg_class ON pg_class.oid = logicalrelid
     WHERE relkind = 'r' AND partmethod IN ('h', 'n') AND pg_relation_size(logicalrelid) > 0`,
  );
  for (const { name } of copied) await session.query('SELECT truncate_local_data_after_distributing_table($1)', [name]);
}
