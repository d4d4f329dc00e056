// Starts one embedded PostgreSQL for the whole run, with a migrated template database that each test file clones.
import { mkdtemp } from 'node:fs/promises';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import pg from 'pg';
import { DataSource } from 'typeorm';

register('./native-modules/typescript-loader.mjs', import.meta.url);

/** A statement of a test that runs for so long hangs, or has a plan of an unexpected kind. */
const LONG_SECONDS = 60;

/** Reports what runs for long: it says why a test will end without a response. @returns the timer */
function watchStatements(connectionString) {
  const report = async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query(
      `SELECT datname, wait_event_type, wait_event, query, pg_blocking_pids(pid)::text AS blocked_by,
         extract(epoch FROM now() - query_start)::int AS seconds
       FROM pg_stat_activity
       WHERE state = 'active' AND backend_type = 'client backend' AND query_start < now() - make_interval(secs => $1)`,
      [LONG_SECONDS],
    );
    await client.end();
    for (const row of rows) console.log(`A statement runs for ${row.seconds} s: ${JSON.stringify(row)}`);
  };
  return setInterval(() => void report().catch(() => undefined), LONG_SECONDS * 1_000).unref();
}

export default async function globalSetup() {
  const { openEmbeddedPostgres } = await import('@outreach/embedded-postgres');
  const { dataSourceOptions } = await import('../../ormconfig.ts');
  const { distribute } = await import('../../src/app/distribution/distribute.ts');
  const { applyMigrations } = await import('../../src/app/apply-migrations.ts');
  const { publishShippedCatalogue } = await import('../../src/marketplace/index.ts');
  const { Database } = await import('../../src/platform/database/index.ts');
  const { prepareQueueTables } = await import('@outreach/job-queue');
  const { joinNodes, onServer } = await import('./joined-nodes.ts');
  const external = process.env.TEST_DATABASE_URL;
  const dataDir = await mkdtemp(join(tmpdir(), 'outreach-test-'));
  const server = external
    ? { url: external, stop: async () => undefined }
    : await openEmbeddedPostgres({
        dataDir,
        as: 'server',
        settings: {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          max_connections: '600',
          max_prepared_transactions: '8',
          ...(process.env.TEST_AUTOVACUUM && { autovacuum: process.env.TEST_AUTOVACUUM }),
        },
      });
  const template = `test_${process.pid}`;
  globalThis.testPostgres = { server, dataDir, template, watch: watchStatements(server.url) };
  process.env.TEST_TEMPLATE = template;
  process.env.TEST_SERVER_URL = server.url;
  const nodes = process.env.TEST_NODE_URLS?.split(' ');
  for (const connectionString of nodes ?? [server.url]) {
    await onServer(connectionString, [
      `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`,
      `CREATE DATABASE ${template}`,
    ]);
  }
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  const source = await new DataSource(dataSourceOptions(url.href, 2)).initialize();
  if (nodes) await joinNodes(nodes, template);
  await applyMigrations(source);
  if (nodes) await distribute(source);
  await publishShippedCatalogue(new Database(source));
  await source.destroy();
  await prepareQueueTables(url.href);
  for (const node of nodes ?? []) await onServer(node, closing(template));
}

/** Each node copies its own part for a test: no process of the engine may be connected to it. */
const closing = (name) => [
  `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
  `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
];
