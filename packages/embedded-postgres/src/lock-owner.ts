import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { errorCode } from './embedded-postgres-failure.js';
import { kernelOf, processTable } from './process-table.js';

/** A `server` owns the lock as long as it runs, a `command` for a short time. */
export type LockOwnerKind = 'server' | 'command';

/** The content of a lock file. */
export interface LockOwner {
  readonly pid: number;
  readonly identity: string;
  readonly kind: LockOwnerKind;
  /** Port of its PostgreSQL; undefined until that accepts connections. */
  readonly port: number | undefined;
  /** Where its PID and its port have a meaning: see ProcessTable. Empty if an earlier version wrote the file. */
  readonly namespace: string;
  /** In a container usually its ID. */
  readonly hostname: string;
  /** Whether it has locked the file for the kernel's lock as well. */
  readonly hasKernelLock: boolean;
}

/**
 * `remote`: it runs, or has run, in another container or on another machine, so that its PID says nothing here.
 */
export type OwnerState = 'none' | 'running' | 'ended' | 'remote';

/** Returns this process as the owner of a lock. */
export async function ownOwner(kind: LockOwnerKind, hasKernelLock: boolean): Promise<LockOwner> {
  const [identity = '', namespace] = await Promise.all([processTable.identity(process.pid), processTable.namespace()]);
  return { pid: process.pid, identity, kind, port: undefined, namespace, hostname: hostname(), hasKernelLock };
}

function format(owner: LockOwner): string {
  const { pid, identity, kind, port = '', namespace, hasKernelLock } = owner;
  return [pid, identity, kind, port, namespace, owner.hostname, hasKernelLock ? 'locked' : '', ''].join('\n');
}

function parse(text: string): LockOwner | undefined {
  const [pid = '', identity = '', kind, port = '', namespace = '', host = '', lock = ''] = text.split('\n');
  if (pid === '' || (kind !== 'server' && kind !== 'command')) return undefined;
  const hasKernelLock = lock === 'locked';
  return {
    ...{ pid: Number(pid), identity, kind, port: port === '' ? undefined : Number(port) },
    ...{ namespace, hostname: host, hasKernelLock },
  };
}

/** Writes a draft that `commit` moves to its place, so that the file appears complete or not at all. */
export async function writeOwner(
  owner: LockOwner,
  commit: (draft: string) => Promise<void>,
  folder: string,
): Promise<void> {
  // Processes of several containers may have the same PID.
  const draft = path.join(folder, `.${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(draft, format(owner), { mode: 0o644 });
    await commit(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns the owner in a lock file, undefined if the file is empty or does not exist. */
export async function readOwner(folder: string, number: number): Promise<LockOwner | undefined> {
  try {
    return parse(await readFile(path.join(folder, String(number)), 'utf8'));
  } catch (error) {
    // If it was removed after it was listed, there is a higher number; creating the next one will fail.
    if (errorCode(error) !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Returns the numbers of the lock files in a folder. */
export async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Returns what the process table says of an owner. */
export async function stateOf(owner: LockOwner | undefined): Promise<OwnerState> {
  if (!owner) return 'none';
  if (owner.namespace !== '' && owner.namespace !== (await processTable.namespace())) return 'remote';
  return (await processTable.identity(owner.pid)) === owner.identity ? 'running' : 'ended';
}

/** Whether the owner and this process run on the same kernel: its locks are then the same for both. */
export async function hasSameKernel(owner: LockOwner): Promise<boolean> {
  return kernelOf(owner.namespace) === kernelOf(await processTable.namespace());
}
