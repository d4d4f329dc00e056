import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { applyMigrations } from '../../src/app/apply-migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('a database that a version before the first release has made', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase('template1');
    await database.query('CREATE TABLE migrations (id serial, "timestamp" bigint NOT NULL, name text NOT NULL)');
    await database.query(`INSERT INTO migrations ("timestamp", name) VALUES (1795200000000, 'Initial1795200000000')`);
    source = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('is refused with a sentence that says what to do, and is not changed', async () => {
    await expect(applyMigrations(source)).rejects.toThrow(/before the first release.*use an empty database/);
    const tables = await database.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    expect(tables).toEqual([{ tablename: 'migrations' }]);
    expect(await database.query('SELECT name FROM migrations')).toEqual([{ name: 'Initial1795200000000' }]);
  });
});
