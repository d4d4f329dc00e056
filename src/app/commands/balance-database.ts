import { type CommandReport, showProgress, table } from '@outreach/command-line';
import type { DataSource } from 'typeorm';
import {
  isolate,
  isRebalancing,
  lastRebalance,
  moveToEmptiest,
  type PlannedTransfer,
  plannedTransfers,
  readTransferMode,
  readWorkspaceShards,
  type RebalanceJob,
  startRebalance,
  type TransferMode,
  type WorkspaceShards,
} from '../distribution/balance.js';
import { isDistributed } from '../distribution/placements.js';
import { StartFailed } from '../start-failed.js';
import { withDatabase } from './with-database.js';

const BYTES_PER_MB = 1_048_576;
const WRITES_WAIT =
  'While a shard moves, its workspaces cannot be written to: set wal_level = logical on all nodes to change that.';

/** `outreach database balance`: starts the rebalancer of Citus, or tells what it does; without `isConfirmed` what it would do. */
export async function balanceDatabase(isConfirmed: boolean): Promise<CommandReport> {
  return onNodes(async (source, mode) => {
    const last = await lastRebalance(source);
    if (last && isRebalancing(last)) return describeJob(last);
    const transfers = await plannedTransfers(source);
    if (!isConfirmed || transfers.length === 0) return describePlan(transfers, mode, last);
    await startRebalance(source, mode);
    const started = await lastRebalance(source);
    return started ? describeJob(started) : describePlan([], mode, last);
  });
}

/** `outreach database balance --workspace`: gives a workspace shards of its own, on the node that has least beside them. */
export async function isolateWorkspace(id: number, isConfirmed: boolean): Promise<CommandReport> {
  return onNodes(async (source, mode) => {
    const found = await shardsOf(source, id);
    if (!isConfirmed) return describeWorkspace(found, mode);
    if (found.others > 0) {
      showProgress('Copying the rows of the workspace to shards of their own');
      await isolate(source, found, mode);
    }
    const own = await shardsOf(source, id);
    if (own.node !== own.emptiest) {
      showProgress(`Moving the shards to ${own.emptiest}`);
      await moveToEmptiest(source, own, mode);
    }
    const placed = await shardsOf(source, id);
    return { json: placed, text: `Workspace ${id} has shards of its own on ${placed.node}.` };
  });
}

function onNodes(work: (source: DataSource, mode: TransferMode) => Promise<CommandReport>): Promise<CommandReport> {
  return withDatabase(async (_database, { source }) => {
    if (!(await isDistributed(source)))
      throw new StartFailed('The database is not distributed: see "outreach database distribute".');
    return work(source, await readTransferMode(source));
  });
}

/** @throws StartFailed */
async function shardsOf(source: DataSource, id: number): Promise<WorkspaceShards> {
  const found = await readWorkspaceShards(source, id);
  if (!found) throw new StartFailed(`There is no workspace ${id}.`);
  return found;
}

function describePlan(
  transfers: readonly PlannedTransfer[],
  mode: TransferMode,
  last: RebalanceJob | undefined,
): CommandReport {
  const rows = transfers.map(({ shard, bytes, from, to }) => [`${shard}`, inMegabytes(bytes), from, to]);
  const failed = last?.state === 'failed' ? [`Job ${last.job} has failed: ${last.messages.join('; ')}`] : [];
  const advice =
    transfers.length === 0
      ? ['The shards are balanced.']
      : [table(['SHARD', 'MB', 'FROM', 'TO'], rows), `${transfers.length} moves: --yes starts them.`, ...waits(mode)];
  return {
    json: { transfers, last: last ?? null, shard_transfer_mode: mode },
    text: [...failed, ...advice].join('\n'),
  };
}

function describeJob(job: RebalanceJob): CommandReport {
  const transfers = Object.entries(job.transfers).map(([state, count]) => `${count} ${state}`);
  const text = `Job ${job.job} is ${job.state}: moves ${transfers.join(', ')}. Run this again to see how it goes on.`;
  return { json: job, text: [text, ...job.messages].join('\n') };
}

function describeWorkspace(shards: WorkspaceShards, mode: TransferMode): CommandReport {
  const { workspace_id: id, node, emptiest, others, bytes } = shards;
  const place = others === 0 ? 'has shards of its own' : `shares its shards with ${others} other workspaces`;
  const isDone = others === 0 && node === emptiest;
  const move = node === emptiest ? 'leaves them there' : `moves them to ${emptiest}`;
  const wanted = others === 0 ? `--yes ${move}.` : `--yes gives it shards of its own, and ${move}.`;
  return {
    json: { ...shards, shard_transfer_mode: mode },
    text: [
      `Workspace ${id} ${place} on ${node} (${inMegabytes(bytes)} MB).`,
      ...(isDone ? ['There is nothing to do.'] : [wanted, ...waits(mode)]),
    ].join('\n'),
  };
}

const waits = (mode: TransferMode): string[] => (mode === 'block_writes' ? [WRITES_WAIT] : []);
const inMegabytes = (bytes: number): string => (bytes / BYTES_PER_MB).toFixed(1);
