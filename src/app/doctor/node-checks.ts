import { type Check, type CheckOutcome, failure, ok, warning } from '@outreach/command-line';
import type { DataSource } from 'typeorm';
import { type Database, sql } from '../../platform/database/index.js';
import { otherFunctions } from '../distribution/distribute.js';
import { hasCitus, isDistributed, isMisplaced, type PlacedTable, readPlacements } from '../distribution/placements.js';
import { limitedDatabase } from './limited-database.js';

const MAX_NAMED = 5;
const DISTRIBUTE = 'Stop the service and run "outreach database distribute --yes", which goes on with what is missing.';

/** A server of Citus, as the one that this process talks to knows it, and what it says of itself. */
interface ClusterNode {
  readonly host: string;
  readonly port: number;
  readonly is_coordinator: boolean;
  readonly is_active: boolean;
  /** Whether it knows where all tables lie, which it needs to take statements of the service. */
  readonly has_metadata: boolean;
  /** Whether it is to have shards. */
  readonly takes_shards: boolean;
  readonly shards: number;
  readonly replies: boolean;
  readonly version: string | null;
  readonly wal_level: string | null;
  readonly max_prepared: number | null;
  readonly [column: string]: unknown;
}

/** What each node says. The last two arguments: at the same time, and a node that does not reply is no error. */
const ASK_NODES = sql`run_command_on_all_nodes($$
  SELECT json_build_object('version', (SELECT extversion FROM pg_extension WHERE extname = 'citus'),
    'wal_level', current_setting('wal_level'), 'max_prepared', current_setting('max_prepared_transactions')::int)
  $$, TRUE, TRUE)`;

/** The nodes of Citus, where tables lie, and what is missing. No finding on one PostgreSQL. */
export const checkNodes = (source: DataSource): Check => ({
  name: 'nodes',
  advice: 'Check the nodes of SELECT * FROM pg_dist_node, and their connections to each other.',
  run: async () => {
    if (!(await hasCitus(source))) return [];
    const database = limitedDatabase(source);
    const [{ is_coordinator: isCoordinator } = { is_coordinator: true }] = await database.query<{
      is_coordinator: boolean;
    }>(sql`SELECT citus_is_coordinator() AS is_coordinator`);
    if (!isCoordinator) return [failure('this process talks to a node that is not the coordinator', USE_COORDINATOR)];
    if (!(await isDistributed(source)))
      return [ok('this process talks to a coordinator, but no table is distributed yet')];
    const nodes = await readNodes(database);
    const tables = describeTables(await readPlacements(source));
    return [...describeNodes(nodes), ...tables, ...describeFunctions(await otherFunctions(source))];
  },
});

const USE_COORDINATOR =
  'Let DATABASE_URL lead to the coordinator: scheduled tasks, quotas and the marketplace are only there.';

/** By one distributed table, because all have their shards at the same places. */
const readNodes = (database: Database): Promise<ClusterNode[]> =>
  database.query<ClusterNode>(
    sql`SELECT node.nodename AS host, node.nodeport AS port, node.groupid = 0 AS is_coordinator, node.isactive AS is_active,
          node.hasmetadata AND node.metadatasynced AS has_metadata, node.shouldhaveshards AS takes_shards,
          (SELECT count(*)::int FROM pg_dist_placement placement JOIN pg_dist_shard shard ON shard.shardid = placement.shardid
           WHERE placement.groupid = node.groupid AND shard.logicalrelid = 'contacts'::regclass) AS shards,
          coalesce(asked.success, FALSE) AS replies, reply.version, reply.wal_level, reply.max_prepared
        FROM pg_dist_node node
        LEFT JOIN ${ASK_NODES} asked ON asked.nodeid = node.nodeid
        LEFT JOIN LATERAL json_to_record(CASE WHEN asked.success THEN asked.result::json END)
          AS reply (version text, wal_level text, max_prepared int) ON TRUE
        WHERE node.noderole = 'primary' ORDER BY node.groupid`,
  );

function describeNodes(nodes: readonly ClusterNode[]): CheckOutcome[] {
  const [coordinator, ...workers] = nodes;
  const shards = nodes.reduce((sum, node) => sum + node.shards, 0);
  return [
    coordinator?.is_coordinator
      ? ok(`this process talks to the coordinator; ${workers.length} nodes, ${shards} shards of each table`)
      : failure('the nodes do not know the coordinator', `Run SELECT citus_set_coordinator_host('HOST', PORT).`),
    ...nodes.flatMap((node) => describeNode(node)),
    ...describeSettings(nodes.filter(({ replies }) => replies)),
  ];
}

function describeNode(node: ClusterNode): CheckOutcome[] {
  const name = nameOf(node);
  const call = (what: string): string => `SELECT ${what}('${node.host}', ${node.port})`;
  if (!node.is_active) return [failure(`${name} is not active`, `Run ${call('citus_activate_node')}.`)];
  if (!node.replies) return [failure(`${name} does not reply`, 'Start its PostgreSQL, or check the network.')];
  const replies = ok(`${name} replies, Citus ${node.version}, ${node.shards} shards`);
  const missing = [
    ...(node.has_metadata
      ? []
      : [warning(`${name} does not know where tables lie`, `Run ${call('start_metadata_sync_to_node')}.`)]),
    ...(node.max_prepared === 0
      ? [failure(`${name} has max_prepared_transactions = 0`, 'Set it to at least max_connections, and restart it.')]
      : []),
    ...(node.takes_shards && node.shards === 0 && !node.is_coordinator
      ? [warning(`${name} has no shards`, 'Run "outreach database balance".')]
      : []),
  ];
  return [replies, ...missing];
}

/** Of the nodes that reply. */
function describeSettings(nodes: readonly ClusterNode[]): CheckOutcome[] {
  const versions = new Set(nodes.map(({ version }) => version));
  const others = nodes.filter((node) => node.wal_level !== 'logical').map(nameOf);
  return [
    ...(versions.size > 1
      ? [warning('the nodes have several versions of Citus', 'Install the same version on all of them.')]
      : []),
    ...(others.length > 0
      ? [
          warning(
            `a workspace cannot be written to while its shard moves, because of wal_level on ${others.join(', ')}`,
            'Set wal_level = logical on all nodes, and restart them.',
          ),
        ]
      : []),
  ];
}

function describeTables(tables: readonly PlacedTable[]): CheckOutcome[] {
  const names = tables.filter(isMisplaced).map(({ table }) => table);
  if (names.length === 0) return [ok(`all ${tables.length} tables are where they belong`)];
  const named = names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ', …' : '');
  return [failure(`tables that are not where they belong: ${names.length} (${named})`, DISTRIBUTE)];
}

const describeFunctions = (names: readonly string[]): CheckOutcome[] =>
  names.length === 0 ? [] : [failure(`functions of triggers for one server: ${names.join(', ')}`, DISTRIBUTE)];

const nameOf = ({ host, port, is_coordinator }: ClusterNode): string =>
  `${is_coordinator ? 'the coordinator' : 'node'} ${host}:${port}`;
