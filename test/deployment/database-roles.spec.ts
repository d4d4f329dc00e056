import pg from 'pg';
import { oldestOpenTransaction, oldestVisibleTransactionStart } from '@outreach/database';
import { sql } from '../../src/platform/database/index.js';
import { useDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

describe('a role that may not see the sessions of others', () => {
  const fixture = useDatabase(1);
  const role = `reader_${process.pid}`;
  let reader: pg.Client;
  let writer: pg.Client;

  const connect = async () => {
    const client = new pg.Client({ connectionString: fixture.testDatabase.url, application_name: 'tests' });
    await client.connect();
    return client;
  };

  beforeEach(async () => {
    [reader, writer] = [await connect(), await connect()];
    await reader.query(`CREATE ROLE ${role}`);
    await reader.query(`SET ROLE ${role}`);
  });
  afterEach(async () => {
    await writer.end();
    await reader.query('RESET ROLE');
    await reader.query(`DROP ROLE ${role}`);
    await reader.end();
  });

  it('sees the ID of a transaction of another role, but not when it began', async () => {
    await writer.query('BEGIN');
    const { rows: open } = await writer.query('SELECT pg_current_xact_id()::text AS id');
    const { text, values } = sql`SELECT ${oldestOpenTransaction}::text AS id,
      ${oldestVisibleTransactionStart}::text AS start`.toQuery();
    // PostgreSQL itself may write in the database for a moment.
    await eventually(async () =>
      expect((await reader.query(text, values)).rows).toEqual([{ ...open[0], start: 'infinity' }]),
    );
  });
});
