import { type FileHandle, link, rename, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataDirectory } from './data-directory.js';
import { DataDirectoryBusy, errorCode } from './embedded-postgres-failure.js';
import { beat, hasHeartbeat, HEARTBEAT_TIMEOUT_MS } from './heartbeat.js';
import { type FileLock, lockFile } from './kernel-lock.js';
import {
  hasSameKernel,
  type LockOwner,
  type LockOwnerKind,
  lockNumbers,
  type OwnerState,
  ownOwner,
  readOwner,
  stateOf,
  writeOwner,
} from './lock-owner.js';
import { stopOrphan } from './orphan.js';

/** The acquired lock, or the port of the server that owns it. */
export type LockResult = { kind: 'acquired'; lock: DataDirectoryLock } | { kind: 'running'; port: number };

type OpenLock = Exclude<FileLock, { state: 'busy' }>;

const POLL_MS = 50;

/** How long the processes of a container may take to end that was killed. */
const REMOTE_TIMEOUT_MS = 3_000;

/** `cluster_name` of the PostgreSQL that the owner of a lock starts. */
const clusterNameOf = (number: number): string => `outreach-${number}`;

/** Whether a file exists, as far as the disk says. */
async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}

/**
 * Lock for running PostgreSQL in a data directory. The kernel's lock on `kernelLock` is shared with PostgreSQL, and lasts
 * until both have ended, in whichever container they run. Numbered files say who has it: the one with the highest number
 * counts, and link(2) creates the next number for one process only, also if the file system has no locks. The file with
 * the highest number is never removed.
 */
export class DataDirectoryLock {
  private readonly released = new AbortController();
  /** Resolves with one line if the lock file is removed, as by another process after a long time without a heartbeat. */
  readonly lost: Promise<string>;

  private constructor(
    readonly file: string,
    private readonly owner: LockOwner,
    private readonly handle: FileHandle,
  ) {
    const { signal } = this.released;
    this.lost = new Promise((resolve) => {
      void beat(handle, signal, () => exists(file)).then(() => {
        if (!signal.aborted) resolve(`${file} was removed: another process may use the database`);
      });
    });
  }

  /** Returns the lock with this number, or undefined if another process was faster. */
  static async tryAcquire(
    folder: string,
    number: number,
    kind: LockOwnerKind,
    { state, handle }: OpenLock,
  ): Promise<DataDirectoryLock | undefined> {
    const owner = await ownOwner(kind, state === 'acquired');
    const file = path.join(folder, String(number));
    try {
      await writeOwner(owner, (draft) => link(draft, file), folder);
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
    return new DataDirectoryLock(file, owner, handle);
  }

  /** `cluster_name` for the PostgreSQL of this owner, by which it is found if the owner is killed. */
  get clusterName(): string {
    return clusterNameOf(Number(path.basename(this.file)));
  }

  /** The file that every program has to inherit which writes in the data directory. */
  get descriptor(): number {
    return this.handle.fd;
  }

  /** Publishes the server's port to the processes that wait to attach. */
  async publishPort(port: number): Promise<void> {
    await writeOwner({ ...this.owner, port }, (draft) => rename(draft, this.file), path.dirname(this.file));
  }

  async release(): Promise<void> {
    this.released.abort();
    try {
      await truncate(this.file, 0);
    } catch (error) {
      // The whole data directory may have been removed.
      if (errorCode(error) !== 'ENOENT') throw error;
    } finally {
      await this.handle.close();
    }
  }
}

/** The newest lock file, and what is known of its owner. */
interface Current {
  readonly number: number;
  readonly owner: LockOwner | undefined;
  readonly state: OwnerState;
}

async function currentOwner(folder: string): Promise<Current> {
  const number = Math.max(0, ...(await lockNumbers(folder)));
  const owner = await readOwner(folder, number);
  return { number, owner, state: await stateOf(owner) };
}

/**
 * @returns the port of the PostgreSQL that runs in a data directory, undefined if none accepts connections. Acquires
 *   nothing.
 * @throws DataDirectoryBusy if it runs in another container or on another machine
 */
export async function runningPort(directory: DataDirectory): Promise<number | undefined> {
  const { owner, state } = await currentOwner(directory.locks);
  if (state === 'running') return owner?.port;
  if (!owner || state !== 'remote') return undefined;
  const lock = await lockFile(directory.kernelLock);
  if (lock.state !== 'busy') await lock.handle.close();
  if (lock.state !== 'acquired') throw inUseBy(directory, owner, state);
  return undefined;
}

interface LockRequest {
  readonly directory: DataDirectory;
  readonly kind: LockOwnerKind;
  readonly heartbeatTimeoutMs: number;
}

/**
 * Acquires the lock, or returns the port of the server that owns it. A server waits for a command to end; a command
 * waits for another command to end, and for a server to be ready. If an owner was killed, its PostgreSQL is stopped.
 * @param heartbeatTimeoutMs how long an owner on another machine may be silent
 * @throws DataDirectoryBusy immediately if a server wants the lock of another server, after three seconds if a server
 *   in another container or on another machine has it, otherwise after `timeoutMs`
 */
export async function acquireLock(
  directory: DataDirectory,
  kind: LockOwnerKind,
  timeoutMs: number,
  heartbeatTimeoutMs = HEARTBEAT_TIMEOUT_MS,
): Promise<LockResult> {
  const request = { directory, kind, heartbeatTimeoutMs };
  const start = performance.now();
  for (;;) {
    const current = await currentOwner(directory.locks);
    const result = current.state === 'running' ? share(request, current) : await tryToAcquire(request, current);
    if (result) return result;
    const isRemoteServer = current.state === 'remote' && current.owner?.kind === 'server';
    const limitMs = isRemoteServer ? Math.min(timeoutMs, REMOTE_TIMEOUT_MS) : timeoutMs;
    if (performance.now() - start >= limitMs)
      throw inUseBy(directory, current.owner, current.state, ', and it does not end');
    await pause(POLL_MS);
  }
}

/** @returns undefined if this process has to wait for the owner */
function share({ directory, kind }: LockRequest, { owner, state }: Current): LockResult | undefined {
  if (owner?.kind !== 'server') return undefined;
  if (kind === 'server') throw inUseBy(directory, owner, state, ': stop it first');
  return owner.port === undefined ? undefined : { kind: 'running', port: owner.port };
}

async function tryToAcquire(request: LockRequest, current: Current): Promise<LockResult | undefined> {
  const { directory, kind } = request;
  const lock = await lockFile(directory.kernelLock);
  if (lock.state === 'busy') {
    // The PostgreSQL of an owner that was killed has it, or a process that has not written its file yet.
    if (current.state === 'ended') await stopOrphan(directory, clusterNameOf(current.number));
    return undefined;
  }
  let acquired: DataDirectoryLock | undefined;
  try {
    if (current.state === 'remote') await assertEnded(request, current, lock);
    acquired = await DataDirectoryLock.tryAcquire(directory.locks, current.number + 1, kind, lock);
  } finally {
    if (!acquired) await lock.handle.close();
  }
  return acquired && { kind: 'acquired', lock: acquired };
}

/** @throws DataDirectoryBusy if the remote owner may still run */
async function assertEnded(
  { directory, heartbeatTimeoutMs }: LockRequest,
  { owner, state }: Current,
  lock: OpenLock,
): Promise<void> {
  if (!owner) return;
  if (lock.state === 'acquired' && owner.hasKernelLock && (await hasSameKernel(owner))) return;
  // Not every file system passes locks on to other machines.
  if (await hasHeartbeat(directory.kernelLock, heartbeatTimeoutMs)) throw inUseBy(directory, owner, state);
}

function inUseBy(
  { root }: DataDirectory,
  owner: LockOwner | undefined,
  state: OwnerState,
  rest = '',
): DataDirectoryBusy {
  const prefix = `The data directory ${root} is used by`;
  if (owner && state === 'running') {
    return new DataDirectoryBusy(`${prefix} another process (${owner.kind}, pid ${owner.pid})${rest}`);
  }
  const remote = state === 'remote' ? owner : undefined;
  const process = remote
    ? `a ${remote.kind} in another container or on another machine (${remote.hostname})`
    : 'a process that is not visible here, such as one in another container';
  const remedy = `run commands there (docker exec ${remote?.hostname ?? 'CONTAINER'} outreach …), or stop it first`;
  return new DataDirectoryBusy(`${prefix} ${process}: ${remedy}`);
}
