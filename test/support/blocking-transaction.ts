import pg from 'pg';
import { eventually } from './eventually.js';
import type { TestDatabase } from './test-database.js';

/** A transaction of the test that has locks, so that statements of the service wait for it. */
export class BlockingTransaction {
  private static readonly open = new Set<BlockingTransaction>();

  private constructor(
    private readonly client: pg.Client,
    private readonly database: TestDatabase,
  ) {}

  /** @param statement takes the locks */
  static async begin(
    database: TestDatabase,
    statement: string,
    values: readonly unknown[],
  ): Promise<BlockingTransaction> {
    const client = new pg.Client({ connectionString: database.url, application_name: 'tests' });
    await client.connect();
    await client.query('BEGIN');
    await client.query(statement, [...values]);
    const transaction = new BlockingTransaction(client, database);
    BlockingTransaction.open.add(transaction);
    return transaction;
  }

  /** Ends those of a test that has failed: a service would wait for them before it stops. */
  static async endAll(): Promise<void> {
    await Promise.all([...BlockingTransaction.open].map((transaction) => transaction.end()));
  }

  /** Resolves when `count` statements wait for locks. */
  async blocks(count: number): Promise<void> {
    await eventually(async () => {
      const [row] = await this.database.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(row?.waiting).toBe(count);
    });
  }

  /** Commits what its statement has written. */
  async commit(): Promise<void> {
    await this.client.query('COMMIT');
    await this.end();
  }

  async end(): Promise<void> {
    BlockingTransaction.open.delete(this);
    await this.client.end();
  }
}
