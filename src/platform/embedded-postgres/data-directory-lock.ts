import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataDirectory } from './data-directory.js';
import { DataDirectoryBusy, errorCode } from './embedded-postgres-failure.js';
import { processTable } from './process-table.js';

/** A `server` owns the lock as long as it runs, a `command` for a short time. */
export type LockOwnerKind = 'server' | 'command';

interface LockOwner {
  readonly pid: number;
  readonly identity: string;
  readonly kind: LockOwnerKind;
  /** Port of its PostgreSQL; undefined until that accepts connections. */
  readonly port: number | undefined;
}

/** The acquired lock, or the port of the server that owns it. */
export type LockResult = { kind: 'acquired'; lock: DataDirectoryLock } | { kind: 'running'; port: number };

const POLL_MS = 25;

function format(owner: LockOwner): string {
  return `${owner.pid}\n${owner.identity}\n${owner.kind}\n${owner.port ?? ''}\n`;
}

function parse(text: string): LockOwner | undefined {
  const [pid = '', identity = '', kind, port = ''] = text.split('\n');
  if (pid === '' || (kind !== 'server' && kind !== 'command')) return undefined;
  return { pid: Number(pid), identity, kind, port: port === '' ? undefined : Number(port) };
}

/** Writes a draft that `commit` moves to its place, so that the file appears complete or not at all. */
async function writeAtomically(
  owner: LockOwner,
  commit: (draft: string) => Promise<void>,
  folder: string,
): Promise<void> {
  const draft = path.join(folder, `.${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(draft, format(owner), { mode: 0o644 });
    await commit(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Lock for running PostgreSQL in a data directory. Node has no flock(2), and if the lock file of a dead process were
 * removed and created again, two processes could win. So lock files are numbered: the one with the highest number
 * counts, and is free if it is empty or its process has ended. link(2) creates the next number for one process only.
 * The file with the highest number is never removed.
 */
export class DataDirectoryLock {
  private constructor(
    private readonly file: string,
    private readonly owner: LockOwner,
  ) {}

  /** Returns the lock with this number, or undefined if another process was faster. */
  static async tryAcquire(folder: string, number: number, kind: LockOwnerKind): Promise<DataDirectoryLock | undefined> {
    const identity = (await processTable.identity(process.pid)) ?? '';
    const owner = { pid: process.pid, identity, kind, port: undefined };
    const file = path.join(folder, String(number));
    try {
      await writeAtomically(owner, (draft) => link(draft, file), folder);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return undefined;
      throw error;
    }
    const all = await lockNumbers(folder);
    // A slow process may create a number that was used and removed before: only the highest one counts.
    if (all.some((other) => other > number)) {
      await rm(file, { force: true });
      return undefined;
    }
    await Promise.all(
      all.filter((other) => other < number).map((old) => rm(path.join(folder, String(old)), { force: true })),
    );
    return new DataDirectoryLock(file, owner);
  }

  /** Publishes the server's port to the processes that wait to attach. */
  async publishPort(port: number): Promise<void> {
    await writeAtomically({ ...this.owner, port }, (draft) => rename(draft, this.file), path.dirname(this.file));
  }

  async release(): Promise<void> {
    try {
      await truncate(this.file, 0);
    } catch (error) {
      // The whole data directory may have been removed.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function liveOwner(folder: string, number: number): Promise<LockOwner | undefined> {
  let owner: LockOwner | undefined;
  try {
    owner = parse(await readFile(path.join(folder, String(number)), 'utf8'));
  } catch (error) {
    // It was removed after it was listed, so there is a higher number; creating the next one will fail.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  return owner && (await processTable.identity(owner.pid)) === owner.identity ? owner : undefined;
}

/**
 * @returns the port of the PostgreSQL that runs in a data directory, undefined if none accepts connections. Acquires
 *   nothing.
 */
export async function runningPort(locks: string): Promise<number | undefined> {
  const highest = Math.max(0, ...(await lockNumbers(locks)));
  return (await liveOwner(locks, highest))?.port;
}

/**
 * Acquires the lock, or returns the port of the server that owns it. A server waits for a command to end; a command
 * waits for another command to end, and for a server to be ready.
 * @throws DataDirectoryBusy immediately if a server wants the lock of another server, otherwise after `timeoutMs`
 */
export async function acquireLock(
  directory: DataDirectory,
  kind: LockOwnerKind,
  timeoutMs: number,
): Promise<LockResult> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const highest = Math.max(0, ...(await lockNumbers(directory.locks)));
    const owner = await liveOwner(directory.locks, highest);
    if (!owner) {
      const lock = await DataDirectoryLock.tryAcquire(directory.locks, highest + 1, kind);
      if (lock) return { kind: 'acquired', lock };
    } else if (owner.kind === 'server') {
      if (kind === 'command' && owner.port !== undefined) return { kind: 'running', port: owner.port };
      if (kind === 'server') throw new DataDirectoryBusy(`${inUseBy(directory, owner)}: stop it first`);
    }
    if (performance.now() >= deadline) {
      throw new DataDirectoryBusy(
        owner
          ? `${inUseBy(directory, owner)}, and it does not end`
          : `Too many processes open the data directory ${directory.root} at the same time`,
      );
    }
    if (owner) await pause(POLL_MS);
  }
}

function inUseBy(directory: DataDirectory, owner: LockOwner): string {
  return `The data directory ${directory.root} is used by another process (${owner.kind}, pid ${owner.pid})`;
}
