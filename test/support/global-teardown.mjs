import { rm } from 'node:fs/promises';
import pg from 'pg';

export default async function globalTeardown() {
  const { server, dataDir, template } = globalThis.testPostgres;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`DROP DATABASE ${template} WITH (FORCE)`);
  await admin.end();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
