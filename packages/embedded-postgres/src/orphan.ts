import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DataDirectory } from './data-directory.js';
import { DataDirectoryUnusable, errorCode } from './embedded-postgres-failure.js';
import { pollUntil } from './poll-until.js';
import { processTable } from './process-table.js';

/** Fast shutdown with a checkpoint, then immediate shutdown (the next start recovers), then SIGKILL. */
const shutdown = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 6_000],
  ['SIGKILL', 2_000],
] as const;

/** Sends the signals one after the other until the process has ended. @returns whether it has */
export async function shutDown(
  send: (signal: NodeJS.Signals) => unknown,
  ended: () => boolean | Promise<boolean>,
): Promise<boolean> {
  for (const [signal, timeoutMs] of shutdown) {
    send(signal);
    if (await pollUntil(ended, timeoutMs)) return true;
  }
  return false;
}

/** Returns the lines of postmaster.pid: the first is the PID, the fourth the port, the eighth the state. */
export async function pidFile(cluster: string): Promise<string[]> {
  try {
    return (await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/**
 * Stops the PostgreSQL of an owner that was killed.
 * @param clusterName stops only the server that was started with this `cluster_name`
 * @returns the PID in the PID file, with which no such server runs
 * @throws DataDirectoryUnusable if it does not end
 */
export async function stopOrphan(directory: DataDirectory, clusterName?: string): Promise<number | undefined> {
  const pid = Number((await pidFile(directory.cluster))[0] ?? 0);
  if (!(pid > 0)) return undefined;
  const parts = [` -D ${directory.cluster} -p `, ...(clusterName ? [` cluster_name=${clusterName} `] : [])];
  const ended = async () => {
    const commandLine = await processTable.commandLine(pid);
    return !parts.every((part) => `${commandLine} `.includes(part));
  };
  if (await ended()) return pid;
  const gone = await shutDown((signal) => signalProcess(pid, signal), ended);
  if (!gone) throw new DataDirectoryUnusable(directory.root, `the previous PostgreSQL process ${pid} does not end`);
  return pid;
}
