import type { DataSource } from 'typeorm';

type Queryable = Pick<DataSource, 'query'>;

/** A move of shards, which the rebalancer of the engine plans. */
export interface PlannedTransfer {
  readonly shard: number;
  readonly bytes: number;
  readonly from: string;
  readonly to: string;
}

/** A run of the rebalancer, in the background. */
export interface RebalanceJob {
  readonly job: number;
  readonly state: string;
  /** How many transfers are in which state. */
  readonly transfers: Readonly<Record<string, number>>;
  /** What the engine says of the transfers, such as why one has failed. */
  readonly messages: readonly string[];
}

/** Where the rows of a workspace lie. */
export interface WorkspaceShards {
  readonly workspace_id: number;
  readonly shard: number;
  readonly node: string;
  readonly bytes: number;
  /** How many other workspaces are in the same shards. */
  readonly others: number;
  /** The node that has least beside these shards. */
  readonly emptiest: string;
}

/** How shards move: rows are copied while they change, or, where that is not possible, while writes wait. */
export type TransferMode = 'auto' | 'block_writes';

/** @returns `auto` if all nodes have `wal_level = logical` */
export async function readTransferMode(source: Queryable): Promise<TransferMode> {
  const [row] = await source.query<{ is_logical: boolean }[]>(
    `SELECT bool_and(result = 'logical') AS is_logical FROM run_command_on_all_nodes('SHOW wal_level')`,
  );
  return row?.is_logical ? 'auto' : 'block_writes';
}

/** @returns what the rebalancer would move, one row for the shards of all tables that move together */
export const plannedTransfers = (source: Queryable): Promise<PlannedTransfer[]> =>
  source.query<PlannedTransfer[]>(
    `SELECT min(plan.shardid) AS shard, sum(placed.shard_size)::bigint AS bytes,
       plan.sourcename || ':' || plan.sourceport AS from, plan.targetname || ':' || plan.targetport AS to
     FROM get_rebalance_table_shards_plan() plan
     JOIN pg_dist_shard shard ON shard.shardid = plan.shardid
     JOIN citus_shards placed ON placed.shardid = plan.shardid
     GROUP BY shard.shardminvalue, 3, 4 ORDER BY 1`,
  );

/** @returns the last run of the rebalancer; undefined if there was none */
export async function lastRebalance(source: Queryable): Promise<RebalanceJob | undefined> {
  const [job] = await source.query<RebalanceJob[]>(
    `SELECT job_id AS job, state::text, coalesce(details -> 'task_state_counts', '{}') AS transfers,
       ARRAY(SELECT DISTINCT task ->> 'message' FROM jsonb_array_elements(details -> 'tasks') task
             WHERE task ->> 'message' <> '') AS messages
     FROM citus_rebalance_status()`,
  );
  return job;
}

/** Whether a run of the rebalancer has not ended. */
export const isRebalancing = ({ state }: RebalanceJob): boolean =>
  ['scheduled', 'running', 'cancelling', 'failing'].includes(state);

export async function startRebalance(source: Queryable, mode: TransferMode): Promise<void> {
  await source.query('SELECT citus_rebalance_start(shard_transfer_mode => $1)', [mode]);
}

/** @returns undefined if the workspace does not exist */
export async function readWorkspaceShards(source: Queryable, id: number): Promise<WorkspaceShards | undefined> {
  const [shards] = await source.query<WorkspaceShards[]>(
    `WITH own AS (
       SELECT shardid, shardminvalue FROM pg_dist_shard
       WHERE shardid = get_shard_id_for_distribution_column('contacts', $1::bigint)
     ), placed AS (
       SELECT placement.nodename || ':' || placement.nodeport AS node, placement.shard_size, placement.shardid,
         coalesce(shard.shardminvalue = own.shardminvalue, FALSE) AS is_own
       FROM citus_shards placement JOIN pg_dist_shard shard ON shard.shardid = placement.shardid CROSS JOIN own
     ), counted AS (
       SELECT node.nodename || ':' || node.nodeport AS node, (
         SELECT coalesce(sum(placed.shard_size), 0) FROM placed
         WHERE placed.node = node.nodename || ':' || node.nodeport AND NOT placed.is_own) AS others
       FROM pg_dist_node node WHERE node.shouldhaveshards AND node.isactive AND node.noderole = 'primary'
     )
     SELECT $1::bigint AS workspace_id, own.shardid AS shard,
       (SELECT node FROM placed WHERE placed.shardid = own.shardid) AS node,
       (SELECT sum(shard_size)::bigint FROM placed WHERE is_own) AS bytes,
       (SELECT node FROM counted ORDER BY others, node LIMIT 1) AS emptiest
     FROM own`,
    [id],
  );
  if (!shards) return undefined;
  const workspaces = await source.query<{ is_own: boolean; total: number }[]>(
    `SELECT id = $1 AS is_own, count(*) AS total FROM workspaces
     WHERE get_shard_id_for_distribution_column('contacts', id) = $2 GROUP BY 1`,
    [id, shards.shard],
  );
  if (!workspaces.some(({ is_own: isOwn }) => isOwn)) return undefined;
  return { ...shards, others: workspaces.find(({ is_own: isOwn }) => !isOwn)?.total ?? 0 };
}

/** Gives a workspace shards of its own in all tables, on the node where its rows are. */
export async function isolate(
  source: Queryable,
  { workspace_id: id }: WorkspaceShards,
  mode: TransferMode,
): Promise<void> {
  await source.query(
    `SELECT isolate_tenant_to_new_shard('contacts', $1::bigint, 'CASCADE', shard_transfer_mode => $2)`,
    [id, mode],
  );
}

/** Moves the shards of a workspace in all tables to the node that has least beside them. */
export async function moveToEmptiest(
  source: Queryable,
  { shard, node, emptiest }: WorkspaceShards,
  mode: TransferMode,
): Promise<void> {
  await source.query(
    `SELECT citus_move_shard_placement($1::bigint, origin.nodeid, target.nodeid, $4)
     FROM pg_dist_node origin, pg_dist_node target
     WHERE origin.nodename || ':' || origin.nodeport = $2 AND target.nodename || ':' || target.nodeport = $3`,
    [shard, node, emptiest, mode],
  );
}
