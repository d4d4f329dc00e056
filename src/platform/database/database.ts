import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DataSource, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Sql } from './sql.js';
import { preparedAs, withoutPreparing } from './prepared-statements.js';
import { isRetryable, translateViolation } from './violations.js';

const MOST_ATTEMPTS = 4;

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
    return this.#client ? work(this) : startingOver(() => this.once(work));
  }

  /** Calls `hint` once the open transaction is committed, at once without one. For hints that may get lost. */
  afterCommit(hint: () => void): void {
    if (this.#client) this.#afterCommit.push(hint);
    else hint();
  }

  /** TypeORM's knowledge of an entity: table and columns. */
  metadata(entity: EntityTarget<ObjectLiteral>): EntityMetadata {
    return this.#source.getMetadata(entity);
  }

  private async once<R>(work: (tx: Database) => Promise<R>): Promise<R> {
    const hints: (() => void)[] = [];
    const [client, release] = await this.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(new Database(this.#source, client, hints));
      await client.query('COMMIT').catch((error: unknown) => {
        throw translateViolation(error);
      });
      for (const hint of hints) hint();
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
    const query = (): QueryConfig => ({ text, values, ...(statement.isPrepared ? preparedAs(text) : {}) });
    try {
      if (this.#client) return await this.#client.query<Row>(query());
      return await startingOver(() => this.alone<Row>(query()));
    } catch (error) {
      throw translateViolation(error);
    }
  }

  private async alone<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
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
    client.on('error', unheard);
    return [
      client,
      (broken) => {
        client.off('error', unheard);
        release(broken);
      },
    ];
  }
}

/** Repeats what the database gave up for the sake of another transaction. */
async function startingOver<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const again = isRetryable(error) || withoutPreparing(error);
      if (!again || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

const unheard = (): void => undefined;
