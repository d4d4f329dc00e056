import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { Database, sql } from '../../src/platform/database/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('prepared statements', () => {
  let testDatabase: TestDatabase;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    source = await new DataSource(dataSourceOptions(testDatabase.url, 1)).initialize();
    database = new Database(source);
  });
  afterAll(async () => {
    await source.destroy();
    await testDatabase.drop();
  });

  const preparedNow = () => database.query<{ name: string }>(sql`SELECT name FROM pg_prepared_statements`);
  const ask = (on: Database = database) => on.query(sql`SELECT ${'yes'}::text AS answer`.prepared());

  it('are prepared once per connection, and disabled when a session has lost one', async () => {
    await ask();
    await ask();
    expect(await preparedNow()).toHaveLength(1);

    // The effect of a pooler in transaction mode: the next transaction runs in another session.
    await database.execute(sql`DEALLOCATE ALL`);
    expect(await database.transaction((tx) => ask(tx))).toEqual([{ answer: 'yes' }]);
    expect(await ask()).toEqual([{ answer: 'yes' }]);
    expect(await preparedNow()).toEqual([]);
  });
});
