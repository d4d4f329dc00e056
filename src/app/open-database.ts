import { hasCluster, openEmbeddedPostgres } from '@outreach/embedded-postgres';
import { describeDatabase } from '@outreach/postgres-connections';
import { endAfterSignal, reasonOf } from '@outreach/command-line';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import type { Config } from '../platform/config/index.js';
import { applyMigrations, missingMigrations } from './apply-migrations.js';
import { StartFailed } from './start-failed.js';

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

/** How a process opens the database. */
export interface OpenOptions {
  /** A `server` runs the embedded database; a `command` uses one that runs, or runs it until the command ends. */
  readonly as: 'server' | 'command';
  /** Ends this with its reason; running migrations have some time to end first. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each part that takes long. */
  readonly onProgress?: (text: string) => void;
}

/**
 * Opens and migrates the configured database: that of `DATABASE_URL`, else the embedded one in `DATA_DIR`, which is
 * created if it does not exist.
 * @throws StartFailed, EmbeddedPostgresFailure with one line for the operator
 */
export async function openMigrated(config: Config, options: OpenOptions): Promise<MigratedDatabase> {
  const { signal, onProgress } = options;
  const { database_url: url } = config;
  const database = url ? await openExternal(url) : await openEmbedded(config, options);
  try {
    signal?.throwIfAborted();
    await assertVersion(database.source);
    await assertWritable(database.source);
    signal?.throwIfAborted();
    const applied = await endAfterSignal(applyMigrations(database.source, onProgress), signal);
    return { ...database, applied };
  } catch (error) {
    // The connection of a migration that still runs would not become idle.
    await (signal?.aborted ? database.abandon() : database.close());
    throw error;
  }
}

/**
 * Opens the configured database for a command, and changes nothing: only `serve`, `migrate`, `init`, `try` and `demo` create and
 * migrate databases.
 * @param signal ends this with its reason
 * @throws StartFailed, EmbeddedPostgresFailure with one line for the operator, also if a migration is missing
 */
export async function openExisting(config: Config, signal?: AbortSignal): Promise<OpenDatabase> {
  const { database_url: url } = config;
  if (!url && !(await hasCluster(config.data_dir))) {
    throw new StartFailed(
      `There is no database in ${config.data_dir} yet: start the service ("outreach serve") or run "outreach migrate" ` +
        'first, or set DATA_DIR to where it is, or DATABASE_URL.',
    );
  }
  const database = url ? await openExternal(url) : await openEmbedded(config, { as: 'command', signal });
  try {
    signal?.throwIfAborted();
    await assertVersion(database.source);
    const missing = await missingMigrations(database.source);
    if (missing.length === 0) return database;
    throw new StartFailed(
      `The database lacks ${missing.length} migrations of this version: run "outreach migrate", or start the service.`,
    );
  } catch (error) {
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

async function openEmbedded(config: Config, { as, signal, onProgress }: OpenOptions): Promise<OpenDatabase> {
  const onCreate = (): void => onProgress?.(`Creating a PostgreSQL database in ${config.data_dir}`);
  const server = await openEmbeddedPostgres({ dataDir: config.data_dir, as, signal, onCreate });
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
    throw new StartFailed(`Cannot open the database ${describeDatabase(url)}: ${reasonOf(error)}.`);
  }
}

async function assertVersion(source: DataSource): Promise<void> {
  const rows: { server_version_num: string; server_version: string }[] = await source.query(
    `SELECT current_setting('server_version_num') AS server_version_num, current_setting('server_version') AS server_version`,
  );
  if (Number(rows[0]?.server_version_num) >= MIN_POSTGRES_VERSION) return;
  throw new StartFailed(`PostgreSQL 14 or newer is required, but DATABASE_URL leads to ${rows[0]?.server_version}.`);
}

/** A standby, or a primary that is closed to writes. @throws StartFailed */
async function assertWritable(source: DataSource): Promise<void> {
  const [row]: { transaction_read_only: string }[] = await source.query('SHOW transaction_read_only');
  if (row?.transaction_read_only === 'off') return;
  throw new StartFailed('DATABASE_URL leads to a PostgreSQL that only reads: it must lead to the primary.');
}

async function disconnect(source: DataSource): Promise<void> {
  if (source.isInitialized) await source.destroy();
}
