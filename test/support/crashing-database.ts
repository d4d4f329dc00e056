import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { applyMigrations } from '../../src/app/apply-migrations.js';
import { openEmbeddedPostgres } from '@outreach/embedded-postgres';
import { prepareQueueTables } from '@outreach/job-queue';
import { freePort } from './command-line.js';
import type { TestDatabase } from './test-database.js';

/** A migrated database on a server of its own, which a test can crash. */
export interface CrashingDatabase extends TestDatabase {
  /**
   * Kills one process of the server with SIGKILL, as the kernel does when memory runs out. The server then ends all
   * sessions and recovers from its write-ahead log. Resolves as soon as the process is killed.
   */
  crash(): Promise<void>;
  /** Stops the server, unless it has ended, and starts it again on the same port. */
  restart(): Promise<void>;
  /** The process that accepts its connections. */
  postmaster(): Promise<number>;
}

/**
 * @param dataDir a new directory by default
 * @param settings parameters of PostgreSQL
 */
export async function startCrashingDatabase({
  dataDir: given,
  settings = {},
}: {
  readonly dataDir?: string;
  readonly settings?: Readonly<Record<string, string>>;
} = {}): Promise<CrashingDatabase> {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'outreach-crash-')));
  const port = await freePort();
  const open = () =>
    openEmbeddedPostgres({
      dataDir,
      as: 'server',
      settings: { fsync: 'off', ...settings, port },
      lockTimeoutMs: 30_000,
    });
  let server = await open();
  const address = new URL(server.url);
  address.port = port;
  const url = address.href;
  const source = await new DataSource(dataSourceOptions(url, 2)).initialize();
  await applyMigrations(source);
  await source.destroy();
  await prepareQueueTables(url);
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const query = async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> => {
    const client = await connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  return {
    url,
    query,
    crash: async () => {
      const client = await connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      for (const { pid } of rows) process.kill(pid, 'SIGKILL');
      await client.end().catch(() => undefined);
    },
    restart: async () => {
      await server.stop();
      server = await open();
    },
    postmaster: async () =>
      Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n', 1)[0]),
    disconnectAll: async () => {
      await query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()',
      );
    },
    drop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
