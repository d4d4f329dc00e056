import path from 'node:path';
import { findBinaries } from './binaries.js';
import { ensureCluster, databaseOwner } from './cluster.js';
import { type DataDirectoryLock, type LockOwnerKind, acquireLock } from './data-directory-lock.js';
import { type DataDirectory, prepareDataDirectory, readPassword } from './data-directory.js';
import { DataDirectoryUnusable, toFailure } from './embedded-postgres-failure.js';
import { chooseLauncher } from './launcher.js';
import { type Postmaster, startPostmaster } from './postmaster.js';
import { ProgramFailed } from './program-run.js';

export interface EmbeddedPostgresOptions {
  /** Made when it is not there. Holds `postgres/`, `postgres.password` (0600) and `postgres.lock/`. */
  readonly dataDir: string;
  /** `server`: lives long, alone. `command`: attaches to the server that runs, else starts one for itself. */
  readonly as: LockOwnerKind;
  /** Parameters of PostgreSQL over our own, e.g. `{ fsync: 'off' }`. */
  readonly settings?: Record<string, string>;
  /** How long to wait for another command to finish or a server to be ready; 15,000 by default. */
  readonly lockTimeoutMs?: number;
  /** The folder with `bin/`, `lib/` and `share/` of PostgreSQL; the npm package of this platform by default. */
  readonly binariesDir?: string;
}

export interface EmbeddedPostgres {
  /** `postgres://outreach:…@127.0.0.1:PORT/outreach`; the role owns the database and may create others. */
  readonly url: string;
  /** Resolves with one line when the server that we started ends although nobody asked it to; else never. */
  readonly exited: Promise<string>;
  /** Ends the server that we started (bounded, 18 s at the very worst) and frees the directory; leaves one that we attached to. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a data directory, or attaches to the one that a server process runs there.
 * A first start makes the cluster; a start after a kill ends what was left running and recovers.
 * @throws EmbeddedPostgresFailure with one line for the operator: DataDirectoryBusy while another process holds the
 * directory, DataDirectoryUnusable for its path, permissions, disk or content, EmbeddedPostgresUnavailable where this
 * machine cannot run it.
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
    const launcher = await chooseLauncher(directory.cluster, path.dirname(binaries.postgres));
    const installation = { directory, binaries, launcher };
    await ensureCluster(installation, options.settings?.['fsync'] !== 'off');
    const password = await readPassword(directory);
    postmaster = await startPostmaster(installation, options.settings ?? {});
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
  return {
    url: url(postmaster.port, password),
    exited: postmaster.exited,
    stop: () => (stopped ??= postmaster.stop().then(() => lock.release())),
  };
}
