import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { eventually } from './eventually.js';

/** A database for one test file, cloned from the migrated template. */
export interface TestDatabase {
  readonly url: string;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Ends all connections except those of the tests, as a restart of the server does. */
  disconnectAll(): Promise<void>;
  drop(): Promise<void>;
}

/** The application name of the tests' connections. */
const TESTS = 'tests';

const serverUrl = (): string => {
  const url = process.env.TEST_SERVER_URL;
  if (!url) throw new Error('The global setup has not started a database server.');
  return url;
};

/** The servers that have each test database: one, or the coordinator and the nodes of a distributed PostgreSQL. */
const servers = (): string[] => process.env.TEST_NODE_URLS?.split(' ') ?? [serverUrl()];

async function asAdmin(statement: string): Promise<void> {
  for (const connectionString of servers()) {
    const admin = new pg.Client({ connectionString });
    await admin.connect();
    try {
      await admin.query(statement);
    } finally {
      await admin.end();
    }
  }
}

/** @param template by default the migrated one; `template1` has no tables */
export async function createTestDatabase(template = process.env.TEST_TEMPLATE): Promise<TestDatabase> {
  const name = `${process.env.TEST_TEMPLATE}_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  const pool = new pg.Pool({
    connectionString: url.href,
    max: 2,
    application_name: TESTS,
    // Tests create triggers that fail.
    ...(process.env.TEST_NODE_URLS && { options: '-c citus.enable_unsafe_triggers=on' }),
  });
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    disconnectAll: async () => {
      await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND usename = current_user AND application_name <> $1`,
        [TESTS],
      );
    },
    drop: async () => {
      await pool.end();
      // Sessions that are ending get a moment: those of this process would report their termination as an error.
      await eventually(() => asAdmin(`DROP DATABASE IF EXISTS ${name}`), 2).catch(() =>
        // Repeated, because autovacuum, which only a superuser may end, may be using the database for a moment.
        eventually(() => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
      );
    },
  };
}
