import path from 'node:path';
import { findBinaries } from './binaries.js';
import { ensureCluster, databaseOwner, isCluster } from './cluster.js';
import { type DataDirectoryLock, acquireLock, runningPort } from './data-directory-lock.js';
import {
  clusterOf,
  type DataDirectory,
  existingDataDirectory,
  prepareDataDirectory,
  readPassword,
} from './data-directory.js';
import { giveToDirectoryOwner } from './directory-owner.js';
import { DataDirectoryUnusable, errorCode, toFailure } from './embedded-postgres-failure.js';
import { chooseLauncher } from './launcher.js';
import type { LockOwnerKind } from './lock-owner.js';
import { type Postmaster, startPostmaster } from './postmaster.js';
import { ProgramFailed } from './program-run.js';

/** How {@link openEmbeddedPostgres} starts or finds a server. */
export interface EmbeddedPostgresOptions {
  /** Created if it does not exist. Contains `postgres/`, `postgres.password` (0600) and `postgres.lock/`. */
  readonly dataDir: string;
  /** A `server` runs PostgreSQL; a `command` attaches to a running one, or starts it for itself. */
  readonly as: LockOwnerKind;
  /** PostgreSQL parameters that override the defaults, e.g. `{ fsync: 'off' }`. */
  readonly settings?: Record<string, string>;
  /** Milliseconds to wait until another command ends or a server is ready; default 15,000. */
  readonly lockTimeoutMs?: number;
  /** Called before the database is created, which takes some seconds. */
  readonly onCreate?: () => void;
  /** Ends the start with its reason, and the PostgreSQL that is starting. */
  readonly signal?: AbortSignal | undefined;
  /** Folder with `bin/`, `lib/` and `share/` of PostgreSQL; the npm package of this platform by default. */
  readonly binariesDir?: string;
}

/** A running server that this process has started, or attached to. */
export interface EmbeddedPostgres {
  /** `postgres://outreach:…@127.0.0.1:PORT/outreach`; the role owns the database and may create databases. */
  readonly url: string;
  /** Resolves with a one-line reason if a PostgreSQL that was started here ends, or has to, before `stop` is called. */
  readonly exited: Promise<string>;
  /** Stops a PostgreSQL that was started here (within 18 s at most) and releases the lock; only detaches otherwise. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a data directory, or attaches to the one that a server process runs there. The first start
 * creates the cluster. If the previous owner was killed, its PostgreSQL is stopped first.
 * @throws EmbeddedPostgresFailure with one line for the operator: DataDirectoryBusy if another process uses the
 * directory, DataDirectoryUnusable if its path, permissions, disk or content prevent the start,
 * EmbeddedPostgresUnavailable if this machine cannot run it
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = path.resolve(options.dataDir);
  try {
    const directory = await prepareDataDirectory(dataDir);
    const result = await acquireLock(directory, options.as, options.lockTimeoutMs ?? 15_000);
    return result.kind === 'running'
      ? await attach(directory, result.port)
      : await start(directory, result.lock, options);
  } catch (error) {
    if (error instanceof ProgramFailed) throw new DataDirectoryUnusable(dataDir, error.message);
    throw toFailure(dataDir, error);
  }
}

/**
 * Whether a data directory contains a database. Creates nothing.
 * @throws DataDirectoryUnusable if it may not be read
 */
export async function hasCluster(dataDir: string): Promise<boolean> {
  try {
    return await isCluster(clusterOf(path.resolve(dataDir)));
  } catch (error) {
    throw toFailure(dataDir, error);
  }
}

/**
 * @returns the URL of the PostgreSQL that another process runs in a data directory, undefined if none runs. Starts and
 *   creates nothing.
 * @throws DataDirectoryUnusable if the directory may not be read; DataDirectoryBusy if it runs in another container or on
 *   another machine
 */
export async function findRunning(dataDir: string): Promise<string | undefined> {
  try {
    const directory = await existingDataDirectory(path.resolve(dataDir));
    const port = await runningPort(directory);
    return port === undefined ? undefined : url(port, await readPassword(directory));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw toFailure(dataDir, error);
  }
}

function url(port: number, password: string): string {
  return `postgres://${databaseOwner}:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseOwner}`;
}

async function attach(directory: DataDirectory, port: number): Promise<EmbeddedPostgres> {
  return {
    url: url(port, await readPassword(directory)),
    exited: new Promise(() => undefined),
    stop: () => Promise.resolve(),
  };
}

async function start(
  directory: DataDirectory,
  lock: DataDirectoryLock,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  let postmaster: Postmaster | undefined;
  try {
    const binaries = await findBinaries(options.binariesDir);
    const launcher = await chooseLauncher(directory.cluster, path.dirname(binaries.postgres), lock.descriptor);
    const installation = { directory, binaries, launcher };
    if (!(await isCluster(directory.cluster))) options.onCreate?.();
    await ensureCluster(installation, options.settings?.['fsync'] !== 'off');
    options.signal?.throwIfAborted();
    // Earlier versions left it to root.
    await giveToDirectoryOwner(directory.password);
    const password = await readPassword(directory);
    postmaster = await startPostmaster(
      installation,
      { cluster_name: lock.clusterName, ...options.settings },
      options.signal,
    );
    options.signal?.throwIfAborted();
    await lock.publishPort(postmaster.port);
    return started(postmaster, lock, password);
  } catch (error) {
    await postmaster?.stop();
    await lock.release();
    throw error;
  }
}

function started(postmaster: Postmaster, lock: DataDirectoryLock, password: string): EmbeddedPostgres {
  let stopped: Promise<void> | undefined;
  const killPostmaster = (reason: string): string => {
    postmaster.kill();
    return reason;
  };
  return {
    url: url(postmaster.port, password),
    exited: Promise.race([postmaster.exited, lock.lost.then(killPostmaster)]),
    stop: () => (stopped ??= postmaster.stop().then(() => lock.release())),
  };
}
