import pg from 'pg';
import { eventually } from './eventually.js';
import type { TestDatabase } from './test-database.js';

/** A lock on rows that another connection has, so that requests for these rows wait until the test ends it. */
export class RowLock {
  private constructor(
    private readonly client: pg.Client,
    private readonly database: TestDatabase,
  ) {}

  /** @param select a SELECT that ends with `FOR UPDATE` */
  static async acquire(database: TestDatabase, select: string, values: readonly unknown[]): Promise<RowLock> {
    const client = new pg.Client({ connectionString: database.url, application_name: 'lock' });
    await client.connect();
    await client.query('BEGIN');
    await client.query(select, [...values]);
    return new RowLock(client, database);
  }

  /** Resolves when at least `count` statements wait for locks. */
  async waitedFor(count: number): Promise<void> {
    await eventually(async () => {
      const [row] = await this.database.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(row?.waiting).toBeGreaterThanOrEqual(count);
    });
  }

  async release(): Promise<void> {
    await this.client.end();
  }
}
