import { rm } from 'node:fs/promises';
import pg from 'pg';

export default async function globalTeardown() {
  const { server, dataDir, template } = globalThis.testPostgres;
  // The embedded server is deleted as a whole.
  if (process.env.TEST_DATABASE_URL) {
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    // Without FORCE, which would be refused while autovacuum uses the database: PostgreSQL ends autovacuum by itself.
    await admin.query(`DROP DATABASE ${template}`);
    await admin.end();
  }
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
