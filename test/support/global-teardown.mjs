import { rm } from 'node:fs/promises';
import { clearInterval } from 'node:timers';
import pg from 'pg';

export default async function globalTeardown() {
  const { server, dataDir, template, watch } = globalThis.testPostgres;
  clearInterval(watch);
  await globalThis.stopSharedService?.();
  // The embedded server is deleted as a whole.
  for (const connectionString of process.env.TEST_DATABASE_URL
    ? (process.env.TEST_NODE_URLS?.split(' ') ?? [server.url])
    : []) {
    const admin = new pg.Client({ connectionString });
    await admin.connect();
    // Those of the services that the specs of a process have shared.
    const { rows } = await admin.query(`SELECT datname FROM pg_database WHERE datname ~ ('^' || $1 || '_')`, [
      template,
    ]);
    for (const { datname } of rows) await admin.query(`DROP DATABASE ${datname} WITH (FORCE)`);
    // Without FORCE, which would be refused while autovacuum uses the database: PostgreSQL ends autovacuum by itself.
    await admin.query(`DROP DATABASE ${template}`);
    await admin.end();
  }
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
