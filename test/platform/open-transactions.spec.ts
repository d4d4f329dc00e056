import pg from 'pg';
import { oldestOpenTransaction, oldestVisibleTransactionStart } from '@outreach/database';
import { sql } from '../../src/platform/database/index.js';
import { useDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

describe('the oldest open transaction', () => {
  const fixture = useDatabase(1);
  const clients: pg.Client[] = [];

  const connect = async (url = fixture.testDatabase.url) => {
    const client = new pg.Client({ connectionString: url, application_name: 'tests' });
    clients.push(client);
    await client.connect();
    return client;
  };
  /** Begins a transaction with an ID, and returns it. */
  const begin = async (client: pg.Client): Promise<string> => {
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT pg_current_xact_id()::text AS id');
    return rows[0].id;
  };
  const read = async (client: pg.Client) => {
    const { text, values } = sql`SELECT ${oldestOpenTransaction}::text AS id,
      ${oldestVisibleTransactionStart}::text AS start`.toQuery();
    const { rows } = await client.query(text, [...values]);
    return rows[0] as { id: string; start: string };
  };
  /** PostgreSQL itself may write in a database for a moment. */
  const expectNone = (reader: pg.Client) =>
    eventually(async () => expect(await read(reader)).toMatchObject({ start: 'infinity' }));

  afterEach(() => Promise.all(clients.splice(0).map((client) => client.end())));

  it('is the one that began first, and there is none when all have ended', async () => {
    const [reader, older, younger] = [await connect(), await connect(), await connect()];
    await expectNone(reader);
    const before = Date.now();
    const first = await begin(older);
    const second = await begin(younger);
    const { id, start } = await read(reader);
    expect(id).toBe(first);
    expect(Date.parse(start)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Date.parse(start)).toBeLessThanOrEqual(Date.now());
    await older.query('COMMIT');
    expect(await read(reader)).toMatchObject({ id: second });
    await younger.query('ROLLBACK');
    await expectNone(reader);
    expect(Number((await read(reader)).id)).toBeGreaterThan(Number(second));
  });

  it('is none that has written nothing, and none of another database', async () => {
    const other = new URL(fixture.testDatabase.url);
    other.pathname = '/postgres';
    const [reader, idle] = [await connect(), await connect()];
    await idle.query('BEGIN');
    await idle.query('SELECT 1');
    await begin(await connect(other.href));
    await expectNone(reader);
  });
});
