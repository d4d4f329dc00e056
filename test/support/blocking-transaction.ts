import pg from 'pg';
import { eventually } from './eventually.js';
import type { TestDatabase } from './test-database.js';

/** SELECT of the sessions that wait for others. */
const HERE = `SELECT activity.pid, blocking.pid AS by
  FROM pg_stat_activity activity CROSS JOIN LATERAL unnest(pg_blocking_pids(activity.pid)) AS blocking (pid)
  WHERE activity.datname = current_database()`;
/** The same, of those whose statements wait on nodes. */
const ON_NODES = `SELECT citus_pid_for_gpid(waiting_gpid), citus_pid_for_gpid(blocking_gpid) FROM citus_lock_waits`;

/** A transaction of the test that has locks, so that statements of the service wait for it. */
export class BlockingTransaction {
  private static readonly open = new Set<BlockingTransaction>();

  private constructor(
    private readonly client: pg.Client,
    private readonly pid: number,
    private readonly database: TestDatabase,
  ) {}

  /** @param statement takes the locks */
  static async begin(
    database: TestDatabase,
    statement: string,
    values: readonly unknown[] = [],
  ): Promise<BlockingTransaction> {
    const client = new pg.Client({ connectionString: database.url, application_name: 'tests' });
    await client.connect();
    await client.query('BEGIN');
    await client.query(statement, [...values]);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const transaction = new BlockingTransaction(client, rows[0]?.pid ?? 0, database);
    BlockingTransaction.open.add(transaction);
    return transaction;
  }

  /** Ends those of a test that has failed: a service would wait for them before it stops. */
  static async endAll(): Promise<void> {
    await Promise.all([...BlockingTransaction.open].map((transaction) => transaction.end()));
  }

  /** Runs another statement in it. */
  async run(statement: string, values: readonly unknown[] = []): Promise<void> {
    await this.client.query(statement, [...values]);
  }

  /**
   * Resolves when `count` statements wait for this transaction, or for one that waits for it. What else waits for a lock, such
   * as a process that starts, does not count.
   */
  async blocks(count: number): Promise<void> {
    await eventually(async () => {
      expect((await this.blocked()).length).toBe(count);
    });
  }

  /** Ends the connections whose statements wait for this transaction. */
  async endBlocked(): Promise<void> {
    await this.database.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS blocked (pid)', [
      await this.blocked(),
    ]);
  }

  /** @returns the sessions whose statements wait for this transaction, or for one that waits for it */
  async blocked(): Promise<number[]> {
    const rows = await this.database.query<{ pid: number }>(
      `WITH RECURSIVE blocked AS MATERIALIZED (${process.env.TEST_NODE_URLS ? `${HERE} UNION ${ON_NODES}` : HERE}), waiting AS (
           SELECT $1::int AS pid
           UNION
           SELECT blocked.pid FROM waiting JOIN blocked ON blocked.by = waiting.pid
         )
         SELECT pid FROM waiting WHERE pid <> $1`,
      [this.pid],
    );
    return rows.map(({ pid }) => pid);
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
