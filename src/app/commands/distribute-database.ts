import { type CommandReport, showProgress, table } from '@outreach/command-line';
import type { DataSource } from 'typeorm';
import { type Database, sql } from '../../platform/database/index.js';
import { countWorkers } from '@outreach/job-queue';
import { distribute } from '../distribution/distribute.js';
import { hasCitus, isMisplaced, type PlacedTable, readPlacements } from '../distribution/placements.js';
import { StartFailed } from '../start-failed.js';
import { withDatabase } from './with-database.js';

/** `outreach database distribute`: places the tables on the nodes of Citus; without `isConfirmed` shows how. */
export async function distributeDatabase(isConfirmed: boolean): Promise<CommandReport> {
  return withDatabase(async (database, { source }) => {
    await assertNodes(source);
    if (!isConfirmed) return plan(await readPlacements(source));
    await assertUnused(database);
    const placed = await distribute(source, ({ table: name, placement }) => showProgress(`${name}: ${placement}`));
    const misplaced = (await readPlacements(source)).filter(isMisplaced);
    if (misplaced.length > 0)
      throw new StartFailed(`Not placed: ${misplaced.map(({ table: name }) => name).join(', ')}.`);
    return {
      json: { placed: placed.map(({ table: name, placement }) => ({ table: name, placement })) },
      text: placed.length === 0 ? 'All tables are where they belong.' : `Placed ${placed.length} tables.`,
    };
  });
}

/** @throws StartFailed */
async function assertNodes(source: DataSource): Promise<void> {
  if (!(await hasCitus(source)))
    throw new StartFailed('The database has no extension Citus: run CREATE EXTENSION citus in it, on all nodes.');
  const [cluster] = await source.query<{ is_coordinator: boolean; is_known: boolean; nodes: number }[]>(
    `SELECT citus_is_coordinator() AS is_coordinator, EXISTS (SELECT 1 FROM pg_dist_node WHERE groupid = 0) AS is_known,
       (SELECT count(*)::int FROM citus_get_active_worker_nodes()) AS nodes`,
  );
  if (!cluster?.nodes)
    throw new StartFailed(`The coordinator has no nodes: add each with SELECT citus_add_node('HOST', PORT).`);
  if (!cluster.is_coordinator)
    throw new StartFailed('DATABASE_URL leads to a node: it must lead to the coordinator, which places the tables.');
  if (!cluster.is_known)
    throw new StartFailed(
      `The nodes do not know the coordinator: tell them with SELECT citus_set_coordinator_host('HOST', PORT).`,
    );
}

/** @throws StartFailed while workers use the tables, which are locked for as long as their rows move */
async function assertUnused(database: Database): Promise<void> {
  const [row] = await database.query<{ workers: number }>(sql`SELECT ${countWorkers()}::int AS workers`);
  if (row?.workers)
    throw new StartFailed(`${row.workers} workers are connected: stop all processes of the service first.`);
}

function plan(tables: readonly PlacedTable[]): CommandReport {
  const rows = tables.map(({ table: name, current, placement }) => [name, current, placement]);
  const missing = tables.filter(isMisplaced).length;
  const advice =
    missing > 0 ? `${missing} tables are to be placed: --yes does it.` : 'All tables are where they belong.';
  return { json: { tables }, text: `${table(['TABLE', 'NOW', 'WANTED'], rows)}\n${advice}` };
}
