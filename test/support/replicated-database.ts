import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { debianPostgres, startTemporaryPostgres } from '../../scripts/temporary-postgres.mjs';
import { applyMigrations } from '../../src/app/apply-migrations.js';
import { prepareQueueTables } from '@outreach/job-queue';
import { eventually } from './eventually.js';
import type { TestDatabase } from './test-database.js';

/** A migrated database with a standby, under one URL with both hosts, of which the standby is the first. */
export interface ReplicatedDatabase extends TestDatabase {
  /** Ends the primary. What it has acknowledged is on the standby. */
  crashPrimary(): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** Runs a statement on the standby. */
  queryStandby<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
}

/** @throws Error if the operating system has no PostgreSQL */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const programs = debianPostgres();
  if (!programs) throw new Error('There is no PostgreSQL: apt-get install postgresql');
  const primary = await startTemporaryPostgres(programs);
  const source = await new DataSource(dataSourceOptions(primary.url, 2)).initialize();
  await applyMigrations(source);
  await source.destroy();
  await prepareQueueTables(primary.url);
  const standby = await startTemporaryPostgres(programs, { primary: primary.url });
  await query(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await query(primary.url, 'SELECT pg_reload_conf()');
  await eventually(async () => {
    const [row] = await query(primary.url, 'SELECT sync_state FROM pg_stat_replication');
    expect(row).toEqual({ sync_state: 'sync' });
  });
  let current = primary.url;
  const { port } = new URL(standby.url);
  return {
    url: primary.url.replace('@', `@127.0.0.1:${port},`) + '?target_session_attrs=read-write',
    query: (text, values) => query(current, text, values),
    queryStandby: (text) => query(standby.url, text),
    disconnectAll: () => Promise.reject(new Error('Crash the primary instead.')),
    crashPrimary: () => primary.crash(),
    promote: async () => {
      await query(standby.url, 'SELECT pg_promote()');
      current = standby.url;
    },
    drop: async () => {
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}

/** Runs a statement on a connection of its own, which may end at any time. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'tests' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
