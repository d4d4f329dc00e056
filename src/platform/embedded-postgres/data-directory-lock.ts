import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataDirectory } from './data-directory.js';
import { DataDirectoryBusy, errorCode } from './embedded-postgres-failure.js';
import { processTable } from './process-table.js';

/** `server` keeps the database for as long as it lives, `command` only for a moment. */
export type LockOwnerKind = 'server' | 'command';

interface LockOwner {
  readonly pid: number;
  readonly identity: string;
  readonly kind: LockOwnerKind;
  /** Where its server answers; undefined until it does. */
  readonly port: number | undefined;
}

export type LockResult = { kind: 'acquired'; lock: DataDirectoryLock } | { kind: 'running'; port: number };

const POLL_MS = 25;

function format(owner: LockOwner): string {
  return `${owner.pid}\n${owner.identity}\n${owner.kind}\n${owner.port ?? ''}\n`;
}

function parse(text: string): LockOwner | undefined {
  const [pid = '', identity = '', as, port = ''] = text.split('\n');
  if (pid === '' || (as !== 'server' && as !== 'command')) return undefined;
  return { pid: Number(pid), identity, kind: as, port: port === '' ? undefined : Number(port) };
}

/** The file appears complete or not at all. */
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
 * The right to run a server in a data directory. Node has no flock(2), and taking over a dead process's lock file by
 * remove-and-create lets two contenders win. So claims are numbered files: the highest one counts, it is free when it is
 * empty or its process is dead, and the next number is taken by link(2), which succeeds for one. It is never removed.
 */
export class DataDirectoryLock {
  private constructor(
    private readonly file: string,
    private readonly owner: LockOwner,
  ) {}

  /** The claim with this number, or undefined when another process was faster. */
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
    // Somebody slow may take a number that was used and cleared away long ago: only the highest counts.
    if (all.some((other) => other > number)) {
      await rm(file, { force: true });
      return undefined;
    }
    await Promise.all(
      all.filter((other) => other < number).map((old) => rm(path.join(folder, String(old)), { force: true })),
    );
    return new DataDirectoryLock(file, owner);
  }

  /** Tells the processes that want to attach where the server answers. */
  async publishPort(port: number): Promise<void> {
    await writeAtomically({ ...this.owner, port }, (draft) => rename(draft, this.file), path.dirname(this.file));
  }

  async release(): Promise<void> {
    try {
      await truncate(this.file, 0);
    } catch (error) {
      // The whole data directory may be gone by now, and the claim with it.
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
    // Cleared away in between: there is a higher one, and taking the next number will find out.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  return owner && (await processTable.identity(owner.pid)) === owner.identity ? owner : undefined;
}

/**
 * Claims the directory, or finds the server that runs in it.
 * A server gives way to none and waits for commands only; a command waits for commands and for a server to be ready.
 * @throws DataDirectoryBusy at once between two servers, after `patienceMs` otherwise.
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
          ? `${inUseBy(directory, owner)}, and it does not finish`
          : `Many processes want ${directory.root} at once`,
      );
    }
    if (owner) await pause(POLL_MS);
  }
}

function inUseBy(directory: DataDirectory, owner: LockOwner): string {
  return `The data directory ${directory.root} is used by another process (${owner.kind}, pid ${owner.pid})`;
}
