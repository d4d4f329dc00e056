// Starts one embedded PostgreSQL for the whole run, with a migrated template database that each test file clones.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export default async function globalSetup() {
  const { openEmbeddedPostgres } = await import('../../dist/src/platform/embedded-postgres/index.js');
  const { dataSourceOptions } = await import('../../dist/ormconfig.js');
  const { applyMigrations } = await import('../../dist/src/app/apply-migrations.js');
  const { publishShippedCatalogue } = await import('../../dist/src/marketplace/index.js');
  const { Database } = await import('../../dist/src/platform/database/index.js');
  const { prepareQueueStore } = await import('../../dist/src/platform/queue/index.js');
  const { DataSource } = await import('typeorm');
  const external = process.env.TEST_DATABASE_URL;
  const dataDir = await mkdtemp(join(tmpdir(), 'outreach-test-'));
  const server = external
    ? { url: external, stop: async () => undefined }
    : await openEmbeddedPostgres({
        dataDir,
        as: 'server',
        settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
      });
  const template = `outreach_template_${process.pid}`;
  globalThis.testPostgres = { server, dataDir, template };
  process.env.TEST_TEMPLATE = template;
  process.env.TEST_SERVER_URL = server.url;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${template}`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  const source = await new DataSource(dataSourceOptions(url.href, 2)).initialize();
  await applyMigrations(source);
  await publishShippedCatalogue(new Database(source));
  await source.destroy();
  await prepareQueueStore({ database_url: url.href });
}
