import { newClient } from '@outreach/postgres-connections';
import { DataSource } from 'typeorm';
import { DatabaseUnavailable, StatementTimedOut } from '@outreach/database';
import { dataSourceOptions } from '../../ormconfig.js';
import { openMigrated } from '../../src/app/open-database.js';
import { loadConfig } from '../../src/app/settings.js';
import { Database, sql } from '../../src/platform/database/index.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Nothing listens there. */
const DEAD = '127.0.0.1:1';

describe('a connection string', () => {
  let database: TestDatabase;
  let host: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    ({ host } = new URL(database.url));
  });
  afterAll(() => database.drop());

  const withHosts = (hosts: string, query = ''): string => database.url.replace(host, hosts).replace(/\?.*/, query);

  async function portOf(url: string): Promise<number> {
    const client = newClient(url);
    await client.connect();
    const { rows } = await client.query<{ port: string }>('SELECT inet_server_port() AS port');
    await client.end();
    expect(client.port).toBe(Number(rows[0]?.port));
    return client.port;
  }

  const readOnly = (value: 'on' | 'off'): Promise<unknown> =>
    database.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    );

  it.each([
    ['one host', () => host, ''],
    ['one host that must accept writes', () => host, '?target_session_attrs=read-write'],
    ['a host that does not respond, and one that does', () => `${DEAD},${host}`, '?target_session_attrs=read-write'],
    ['hosts without the wish for a primary', () => `${DEAD},${host}`, ''],
  ])('with %s leads to the database', async (_, hosts, query) => {
    expect(await portOf(withHosts(hosts(), query))).toBe(Number(new URL(database.url).port));
  });

  it('fails with the reason of each host if none accepts writes', async () => {
    await readOnly('on');
    const client = newClient(withHosts(`${DEAD},${host}`));
    await expect(client.connect()).rejects.toThrow(
      `no server accepts writes (${DEAD}: connect ECONNREFUSED ${DEAD}; ${host}: it is read-only)`,
    );
    await client.end();
    await readOnly('off');
  });

  it.each([
    ['accepts no logins', (proxy: BreakableProxy) => proxy.hang()],
    ['is silent after logins', (proxy: BreakableProxy) => void (proxy.isSilentAfterLogins = true)],
  ])('with a host that hangs leads to the next one: it %s', async (_, stall) => {
    const proxy = await BreakableProxy.to(database.url);
    stall(proxy);
    const stalled = new URL(proxy.urlThrough(database.url)).host;
    expect(await portOf(withHosts(`${stalled},${host}`))).toBe(Number(new URL(database.url).port));
    await proxy.stop();
  });

  it('of a server that only reads stops the start with one line', async () => {
    await readOnly('on');
    const config = loadConfig({ DATABASE_URL: database.url, ENCRYPTION_KEY: 'a key that only tests use' });
    await expect(openMigrated(config, { as: 'server' })).rejects.toThrow(/^DATABASE_URL leads to .* only reads: .*$/);
    await readOnly('off');
  });

  it('opens connections to another host when the first one fails, and cancels statements there', async () => {
    const [one, two] = await Promise.all([BreakableProxy.to(database.url), BreakableProxy.to(database.url)]);
    const hosts = [one, two].map((proxy) => new URL(proxy.urlThrough(database.url)).host);
    const source = await new DataSource(dataSourceOptions(withHosts(hosts.join()), 2)).initialize();
    const opened = new Database(source);
    two.break();
    expect(await opened.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    two.restore();
    one.break();
    await eventually(async () => expect(await opened.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]));
    const limited = opened.withTimeLimits({ statementMs: 1, cancelMs: 600_000 });
    await expect(limited.query(sql`SELECT pg_sleep(6000)`)).rejects.toThrow(StatementTimedOut);
    await source.destroy();
    await Promise.all([one.stop(), two.stop()]);
  });

  it('fails a statement without a time limit whose server vanishes, and uses another host', async () => {
    const [one, two] = await Promise.all([BreakableProxy.to(database.url), BreakableProxy.to(database.url)]);
    const hosts = [one, two].map((proxy) => new URL(proxy.urlThrough(database.url)).host);
    const source = await new DataSource(dataSourceOptions(withHosts(hosts.join()), 1)).initialize();
    const opened = new Database(source);
    const statement = opened.query(sql`SELECT pg_sleep(600)`);
    const isRunning = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%'`;
    await eventually(async () => expect(await database.query(isRunning)).toHaveLength(1));
    one.vanish();
    await expect(statement).rejects.toThrow(DatabaseUnavailable);
    expect(await opened.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    await source.destroy();
    await Promise.all([one.stop(), two.stop()]);
  });

  it('leads to no server for longer that has become read-only: its connections are not used again', async () => {
    const source = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
    const opened = new Database(source);
    const write = (target: Database) => target.execute(sql`UPDATE scheduled_tasks SET name = name WHERE FALSE`);
    for (const attempt of [() => write(opened), () => opened.transaction(write)]) {
      // Sessions that are open stay as they are.
      await readOnly('on');
      await database.disconnectAll();
      await eventually(() =>
        expect(opened.query(sql`SHOW transaction_read_only`)).resolves.toMatchObject([{ transaction_read_only: 'on' }]),
      );
      await readOnly('off');
      await expect(attempt()).rejects.toThrow(DatabaseUnavailable);
      expect(await attempt()).toBe(0);
    }
    await source.destroy();
  });
});
