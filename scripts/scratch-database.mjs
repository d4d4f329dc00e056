// A temporary database for a script: on the server of TEST_DATABASE_URL, or on an embedded one.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '@outreach/embedded-postgres';

/** Calls `work` with the URL of an empty database, and drops the database afterwards. */
export async function withScratchDatabase(work) {
  const dataDir = await mkdtemp(join(tmpdir(), 'outreach-scratch-'));
  const server = await openServer(dataDir);
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  try {
    await run(server.url, `CREATE DATABASE ${name}`);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    await work(url.href);
  } finally {
    await run(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function openServer(dataDir) {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, stop: async () => undefined };
  return openEmbeddedPostgres({ dataDir, as: 'server', settings: { fsync: 'off' } });
}

async function run(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
