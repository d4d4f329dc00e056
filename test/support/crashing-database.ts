import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { applyMigrations } from '../../src/app/apply-migrations.js';
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.js';
import { prepareQueueStore } from '../../src/platform/queue/index.js';
import type { TestDatabase } from './test-database.js';

/** A migrated database on a server of its own, which a test can crash. */
export interface CrashingDatabase extends TestDatabase {
  /**
   * Kills one process of the server with SIGKILL, as the kernel does when memory runs out. The server then ends all
   * sessions and recovers from its write-ahead log. Resolves as soon as the process is killed.
   */
  crash(): Promise<void>;
}

export async function startCrashingDatabase(): Promise<CrashingDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outreach-crash-'));
  const server = await openEmbeddedPostgres({ dataDir, as: 'server', settings: { fsync: 'off' } });
  const source = await new DataSource(dataSourceOptions(server.url, 2)).initialize();
  await applyMigrations(source);
  await source.destroy();
  await prepareQueueStore({ database_url: server.url, redis_url: undefined });
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: server.url });
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
    url: server.url,
    query,
    crash: async () => {
      const client = await connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      for (const { pid } of rows) process.kill(pid, 'SIGKILL');
      await client.end().catch(() => undefined);
    },
    disconnectAll: async () => {
      await query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    },
    drop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
