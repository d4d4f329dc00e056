import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { type Config } from '../platform/config/index.js';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/index.js';
import { reasonOf, StartFailed } from './start-failed.js';

const OLDEST_POSTGRES = 140_000;

/** An open database and how to let go of it. */
export interface OpenDatabase {
  readonly url: string;
  readonly source: DataSource;
  /** Rejects when an embedded server ends that nobody asked to end. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

/**
 * Opens the configured database: the one of `DATABASE_URL`, else the embedded one under `DATA_DIR`.
 * @param as a `server` owns the embedded database; a `command` joins the one that runs, or runs it for its own time
 * @throws StartFailed with one line for the operator
 */
export async function openDatabase(config: Config, as: 'server' | 'command'): Promise<OpenDatabase> {
  if (config.database_url) {
    const source = await connect(config.database_url);
    return { url: config.database_url, source, lost: new Promise(() => undefined), close: () => close(source) };
  }
  const server = await openEmbeddedPostgres({ dataDir: config.data_dir, as });
  try {
    const source = await connect(server.url);
    return {
      url: server.url,
      source,
      lost: server.exited.then((reason) => {
        throw new StartFailed(`The embedded PostgreSQL ended unexpectedly: ${reason}`);
      }),
      close: async () => {
        await close(source);
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function connect(url: string): Promise<DataSource> {
  const source = new DataSource(dataSourceOptions(url));
  try {
    await source.initialize();
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new StartFailed(`Cannot open the database ${pathname.slice(1)} at ${host}: ${reasonOf(error)}.`);
  }
  await assertVersion(source);
  return source;
}

async function assertVersion(source: DataSource): Promise<void> {
  const rows: { server_version_num: string; server_version: string }[] = await source.query(
    `SELECT current_setting('server_version_num') AS server_version_num, current_setting('server_version') AS server_version`,
  );
  if (Number(rows[0]?.server_version_num) >= OLDEST_POSTGRES) return;
  await close(source);
  throw new StartFailed(`PostgreSQL 14 or newer is needed; DATABASE_URL leads to ${rows[0]?.server_version}.`);
}

async function close(source: DataSource): Promise<void> {
  if (source.isInitialized) await source.destroy();
}
