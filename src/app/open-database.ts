import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import type { Config } from '../platform/config/index.js';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/index.js';
import { applyMigrations } from './apply-migrations.js';
import { endAfterSignal } from './stop-signal.js';
import { reasonOf, StartFailed } from './start-failed.js';

const MIN_POSTGRES_VERSION = 140_000;

/** An open database, and how to close it. */
export interface OpenDatabase {
  readonly url: string;
  readonly source: DataSource;
  /** Resolves with the reason when an embedded server ends unexpectedly. */
  readonly lost: Promise<string>;
  /** Stops the embedded server that this process runs, if any, without waiting for its connections. */
  abandon(): Promise<void>;
  /** Closes the connections when they are idle, then stops the embedded server that this process runs, if any. */
  close(): Promise<void>;
}

/** A database with all migrations of this version; `applied` names those that were missing. */
export interface MigratedDatabase extends OpenDatabase {
  readonly applied: readonly string[];
}

/**
 * Opens and migrates the configured database: that of `DATABASE_URL`, else the embedded one in `DATA_DIR`.
 * @param as a `server` runs the embedded database; a `command` uses one that runs, or runs it until the command ends
 * @param signal ends this with its reason; running migrations have some time to end first
 * @throws StartFailed, EmbeddedPostgresFailure with one line for the operator
 */
export async function openMigrated(
  config: Config,
  as: 'server' | 'command',
  signal?: AbortSignal,
): Promise<MigratedDatabase> {
  const { database_url: url } = config;
  const database = url ? await openExternal(url) : await openEmbedded(config, as, signal);
  try {
    signal?.throwIfAborted();
    await assertVersion(database.source);
    return { ...database, applied: await endAfterSignal(applyMigrations(database.source), signal) };
  } catch (error) {
    // The connection of a migration that still runs would not become idle.
    await (signal?.aborted ? database.abandon() : database.close());
    throw error;
  }
}

async function openExternal(url: string): Promise<OpenDatabase> {
  const source = await connect(url);
  return {
    url,
    source,
    lost: new Promise(() => undefined),
    abandon: () => Promise.resolve(),
    close: () => disconnect(source),
  };
}

async function openEmbedded(config: Config, as: 'server' | 'command', signal?: AbortSignal): Promise<OpenDatabase> {
  const server = await openEmbeddedPostgres({ dataDir: config.data_dir, as, signal });
  try {
    const source = await connect(server.url);
    return {
      url: server.url,
      source,
      lost: server.exited,
      abandon: () => server.stop(),
      close: async () => {
        await disconnect(source);
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The error message contains the host and the database, not the password. */
async function connect(url: string): Promise<DataSource> {
  const source = new DataSource(dataSourceOptions(url));
  try {
    return await source.initialize();
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new StartFailed(`Cannot open the database ${pathname.slice(1)} at ${host}: ${reasonOf(error)}.`);
  }
}

async function assertVersion(source: DataSource): Promise<void> {
  const rows: { server_version_num: string; server_version: string }[] = await source.query(
    `SELECT current_setting('server_version_num') AS server_version_num, current_setting('server_version') AS server_version`,
  );
  if (Number(rows[0]?.server_version_num) >= MIN_POSTGRES_VERSION) return;
  throw new StartFailed(`PostgreSQL 14 or newer is required, but DATABASE_URL leads to ${rows[0]?.server_version}.`);
}

async function disconnect(source: DataSource): Promise<void> {
  if (source.isInitialized) await source.destroy();
}
