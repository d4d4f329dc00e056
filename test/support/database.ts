import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { Database } from '../../src/platform/database/index.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** A database without a service. */
export interface DatabaseFixture {
  readonly testDatabase: TestDatabase;
  /** What the modules of the service use to access it. */
  readonly database: Database;
}

/**
 * Creates a database before the tests of a file or of a `describe`, and drops it after them.
 * @param connections the size of the pool of `database`
 * @returns the database, which hooks and tests can use
 */
export function useDatabase(connections: number): DatabaseFixture {
  let testDatabase: TestDatabase | undefined;
  let source: DataSource | undefined;
  let database: Database | undefined;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    source = await new DataSource(dataSourceOptions(testDatabase.url, connections)).initialize();
    database = new Database(source);
  });
  afterAll(async () => {
    await source?.destroy();
    await testDatabase?.drop();
  });
  const created = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The database is created in beforeAll: use it in hooks and tests only.');
    return value;
  };
  return {
    get testDatabase() {
      return created(testDatabase);
    },
    get database() {
      return created(database);
    },
  };
}
