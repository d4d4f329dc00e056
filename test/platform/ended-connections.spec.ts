import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { Database, sql } from '../../src/platform/database/index.js';
import { postgresBackend } from '../../packages/job-queue/src/postgres-backend.js';
import { prepareQueueTables } from '@outreach/job-queue';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const ATTEMPTS = 20;

/** An `error` event without a listener would end a process, and fails the test. */
describe('a connection to PostgreSQL that ends while it opens', () => {
  let database: TestDatabase;
  let proxy: BreakableProxy;
  let url: string;
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(error);
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await BreakableProxy.to(database.url);
    url = proxy.urlThrough(database.url);
    process.prependListener('uncaughtException', onUncaught);
  });
  beforeEach(() => {
    proxy.isEndingLogins = false;
    proxy.endedLogins = 0;
  });
  afterAll(async () => {
    process.off('uncaughtException', onUncaught);
    await proxy.stop();
    await database.drop();
  });

  /** Lets all connections end, the open ones and each that opens for one of the attempts. */
  async function endConnectionsOf(attempt: () => Promise<unknown>): Promise<void> {
    proxy.isEndingLogins = true;
    await database.disconnectAll();
    let failed = 0;
    for (let count = 0; count < ATTEMPTS; count += 1) await attempt().catch(() => (failed += 1));
    expect(failed).toBeGreaterThan(0);
    expect(proxy.endedLogins).toBeGreaterThan(1);
    expect(uncaught).toEqual([]);
    proxy.isEndingLogins = false;
  }

  it('fails a statement, and the next one uses a new connection', async () => {
    const source = await new DataSource(dataSourceOptions(url, 4)).initialize();
    const opened = new Database(source);
    await endConnectionsOf(() => opened.query(sql`SELECT 1`));
    expect(await opened.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    await source.destroy();
  });

  it('fails a wait for jobs, and the next one listens on a new connection', async () => {
    await prepareQueueTables(url);
    const backend = postgresBackend(url)('ended', { connection: {} }, { withBlockingConnection: true });
    backend.on('error', () => undefined);
    await backend.waitUntilReady();
    await endConnectionsOf(() => backend.waitForJob(0.01));
    await expect(backend.waitForJob(0.01).catch(() => backend.waitForJob(0.01))).resolves.toBeNull();
    await backend.close();
  });
});

describe('a queue in PostgreSQL', () => {
  it('fails a statement that gets no response, and the next one uses a new connection', async () => {
    const database = await createTestDatabase();
    const proxy = await BreakableProxy.to(database.url);
    await prepareQueueTables(database.url);
    const backend = postgresBackend(proxy.urlThrough(database.url), { responseTimeoutMs: 5_000 })('silent', {
      connection: {},
    });
    backend.on('error', () => undefined);
    await backend.waitUntilReady();
    proxy.hang();
    await expect(backend.getCounts(['wait'])).rejects.toThrow('Query read timeout');
    proxy.restore();
    expect(await backend.getCounts(['wait'])).toEqual([0]);
    await backend.close();
    await proxy.stop();
    await database.drop();
  });
});
