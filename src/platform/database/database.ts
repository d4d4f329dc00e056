import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DataSource, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { type Sql, sql } from './sql.js';
import { preparedName, disableAfterLostSession } from './prepared-statements.js';
import { isRetryable, translateViolation } from './violations.js';

const MAX_ATTEMPTS = 4;

/**
 * The PostgreSQL database, either with a connection per statement or inside one transaction.
 * Modules reach it through a `WorkspaceScope`; only code that crosses workspaces on purpose takes it directly.
 */
export class Database {
  readonly #source: DataSource;
  readonly #client: PoolClient | undefined;
  readonly #afterCommit: (() => void)[];

  constructor(source: DataSource, client?: PoolClient, afterCommit: (() => void)[] = []) {
    this.#source = source;
    this.#client = client;
    this.#afterCommit = afterCommit;
  }

  /** The rows of a statement; of an INSERT, UPDATE or DELETE those that it returns. */
  async query<Row extends QueryResultRow>(statement: Sql): Promise<Row[]> {
    return (await this.run<Row>(statement)).rows;
  }

  /** How many rows a statement changed. */
  async execute(statement: Sql): Promise<number> {
    return (await this.run(statement)).rowCount ?? 0;
  }

  /**
   * Of each set of equivalent statements the one that PostgreSQL expects to be the least work.
   * @param sets statements that give one value each; those of a set give the same
   */
  async cheapest(sets: readonly (readonly Sql[])[]): Promise<Sql[]> {
    const open = sets.filter((set) => set.length > 1).flat();
    const costs = await this.costs(open);
    const costOf = new Map(open.map((statement, index) => [statement, costs[index] ?? 0]));
    return sets.map((set) => leastBy(set, (statement) => costOf.get(statement) ?? 0));
  }

  /** What PostgreSQL expects each of the statements to cost, in its own units. They give one value each, and do not run. */
  async costs(statements: readonly Sql[]): Promise<number[]> {
    if (statements.length === 0) return [];
    // One plan for all of them: each stands in it as a plan of its own, in their order.
    const values = sql.join(statements.map((statement) => sql`(${statement})`));
    const [row] = await this.query<{ 'QUERY PLAN': [{ Plan: { Plans: { 'Total Cost': number }[] } }] }>(
      sql`EXPLAIN (FORMAT JSON) SELECT ${values}`,
    );
    const plans = row?.['QUERY PLAN'][0].Plan.Plans ?? [];
    return statements.map((_, index) => plans[index]?.['Total Cost'] ?? 0);
  }

  /** Streams CSV or text into a `COPY … FROM STDIN`. Inside a transaction only. */
  async copyIn(statement: Sql, source: Readable | AsyncIterable<Buffer | string>): Promise<void> {
    if (!this.#client) throw new Error('COPY needs an open transaction');
    try {
      await pipeline(source, this.#client.query(copyFrom(statement.toQuery().text)));
    } catch (error) {
      throw translateViolation(error);
    }
  }

  /**
   * Runs `work` in one transaction, or in the open one. Starts over when the database chose it as the victim of a
   * deadlock, so `work` must have no effect outside the database; what must follow the commit goes to {@link afterCommit}.
   */
  async transaction<R>(work: (tx: Database) => Promise<R>): Promise<R> {
    return this.#client ? work(this) : withRetries(() => this.runTransaction(work));
  }

  /**
   * The same, but no statement may take longer than `milliseconds`; also for the rest of a transaction that is open.
   * Such statements are not compiled either: that takes longer than most of them.
   * @throws StatementTimedOut
   */
  transactionWithin<R>(milliseconds: number, work: (tx: Database) => Promise<R>): Promise<R> {
    return this.transaction(async (tx) => {
      await tx.query(
        sql`SELECT set_config('statement_timeout', ${String(milliseconds)}, TRUE), set_config('jit', 'off', TRUE)`,
      );
      return work(tx);
    });
  }

  /** Calls `hint` once the open transaction is committed, at once without one. For hints that may get lost. */
  afterCommit(callback: () => void): void {
    if (this.#client) this.#afterCommit.push(callback);
    else callback();
  }

  /** TypeORM's knowledge of an entity: table and columns. */
  metadata(entity: EntityTarget<ObjectLiteral>): EntityMetadata {
    return this.#source.getMetadata(entity);
  }

  private async runTransaction<R>(work: (tx: Database) => Promise<R>): Promise<R> {
    const callbacks: (() => void)[] = [];
    const [client, release] = await this.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(new Database(this.#source, client, callbacks));
      await client.query('COMMIT').catch((error: unknown) => {
        throw translateViolation(error);
      });
      for (const callback of callbacks) callback();
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((rollback: Error) => (broken = rollback));
      throw error;
    } finally {
      release(broken);
    }
  }

  /** A statement on its own is a transaction of its own, and starts over like one. */
  private async run<Row extends QueryResultRow>(statement: Sql): Promise<QueryResult<Row>> {
    const { text, values } = statement.toQuery();
    const query = (): QueryConfig => ({ text, values, ...(statement.isPrepared ? preparedName(text) : {}) });
    try {
      if (this.#client) return await this.#client.query<Row>(query());
      return await withRetries(() => this.runOnOwnConnection<Row>(query()));
    } catch (error) {
      throw translateViolation(error);
    }
  }

  private async runOnOwnConnection<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    const [client, release] = await this.connect();
    let broken: Error | undefined;
    try {
      return await client.query<Row>(query);
    } catch (error) {
      if (error instanceof Error && !('severity' in error)) broken = error;
      throw error;
    } finally {
      release(broken);
    }
  }

  private async connect(): Promise<[PoolClient, (broken?: Error) => void]> {
    const driver = this.#source.driver as PostgresDriver;
    const [client, release] = (await driver.obtainMasterConnection()) as [PoolClient, (broken?: Error) => void];
    // The pool listens to idle connections only. One that ends in use fails its statement, or else the next one.
    client.on('error', ignoreError);
    return [
      client,
      (broken) => {
        client.off('error', ignoreError);
        release(broken);
      },
    ];
  }
}

/** Repeats what the database gave up for the sake of another transaction. */
async function withRetries<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isRepeatable = isRetryable(error) || disableAfterLostSession(error);
      if (!isRepeatable || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function leastBy(set: readonly Sql[], cost: (statement: Sql) => number): Sql {
  const [first, ...others] = set;
  if (!first) throw new Error('A set of statements is empty.');
  return others.reduce((best, other) => (cost(other) < cost(best) ? other : best), first);
}

const ignoreError = (): void => undefined;
