import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { citusPostgres, startTemporaryCitus } from '../../scripts/temporary-citus.mjs';
import { applyMigrations } from '../../src/app/apply-migrations.js';
import { distribute } from '../../src/app/distribution/distribute.js';
import { prepareQueueTables } from '@outreach/job-queue';
import { eventually } from './eventually.js';
import { joinNodes } from './joined-nodes.js';
import { query } from './replicated-database.js';
import type { TestDatabase } from './test-database.js';

/** One of the servers of a distributed PostgreSQL, which a test can kill. */
export interface NodeServer {
  readonly port: number;
  /** Kills all of its processes with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, and resolves when it accepts connections. */
  restart(): Promise<void>;
}

/** A migrated database that is distributed over the nodes of servers of its own. */
export interface DistributedDatabase extends TestDatabase {
  readonly coordinator: NodeServer;
  readonly nodes: readonly NodeServer[];
  /** The node that has the rows of a workspace. */
  nodeOf(workspaceId: number): Promise<NodeServer>;
}

/**
 * Rows can be written while shards move. What a commit has left on a node that was killed is settled soon, instead of
 * within a minute.
 */
const SETTINGS = ['wal_level=logical', 'max_replication_slots=100', 'citus.recover_2pc_interval=2s'];

/** @throws Error if the operating system has no PostgreSQL with the extension */
export async function startDistributedDatabase(): Promise<DistributedDatabase> {
  const programs = citusPostgres();
  if (!programs) throw new Error('There is no PostgreSQL with Citus.');
  const cluster = await startTemporaryCitus(programs, SETTINGS);
  const { servers, urls } = cluster;
  const [url] = urls;
  if (!url) throw new Error('A distributed PostgreSQL has a coordinator.');
  await joinNodes(urls, 'postgres');
  const source = await new DataSource(dataSourceOptions(url, 2)).initialize();
  await applyMigrations(source);
  await distribute(source);
  await source.destroy();
  await prepareQueueTables(url);
  const [coordinator, ...nodes] = servers.map((server) => ({
    port: Number(new URL(server.url).port),
    kill: () => server.kill(),
    restart: () => eventually(() => server.start()),
  }));
  if (!coordinator) throw new Error('A distributed PostgreSQL has a coordinator.');
  return {
    url,
    coordinator,
    nodes,
    query: (text, values) => query(url, text, values),
    nodeOf: async (workspaceId) => {
      const [row] = await query<{ port: number }>(url, PORT_OF_WORKSPACE, [workspaceId]);
      const node = nodes.find(({ port }) => port === row?.port);
      if (!node) throw new Error(`No node has workspace ${workspaceId}.`);
      return node;
    },
    disconnectAll: () => Promise.reject(new Error('Kill a server instead.')),
    drop: () => cluster.stop(),
  };
}

const PORT_OF_WORKSPACE = `
  SELECT node.nodeport AS port FROM pg_dist_placement placement JOIN pg_dist_node node USING (groupid)
  WHERE placement.shardid = get_shard_id_for_distribution_column('contacts', $1::bigint)`;
