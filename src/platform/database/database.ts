import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DataSource, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { FairQueue } from '../concurrency/index.js';
import { type Sql, sql } from './sql.js';
import { preparedName, disableAfterLostSession } from './prepared-statements.js';
import { isRetryable, translateViolation } from './violations.js';

const MAX_ATTEMPTS = 4;

/** The key of the statements that belong to no single workspace. IDs begin at 1. */
const ALL_WORKSPACES = 0;

/** For which workspace statements run, and the open transaction. */
interface Session {
  /** Shares the connections of the pool between the workspaces. */
  readonly connections: FairQueue;
  readonly workspaceId: number;
  readonly client?: PoolClient;
  /** Called after the commit. */
  readonly callbacks?: (() => void)[];
}

/**
 * The PostgreSQL database, either with a connection per statement or inside one transaction. The workspaces share the
 * connections of the process: a workspace that uses many does not make another wait.
 * Modules use it through a `WorkspaceScope`; only code that reads all workspaces on purpose uses it directly.
 */
export class Database {
  readonly #source: DataSource;
  readonly #session: Session;

  /** @param session by default, statements about all workspaces outside of a transaction */
  constructor(source: DataSource, session: Session = initialSession(source)) {
    this.#source = source;
    this.#session = session;
  }

  /** @returns the same database and transaction, whose connections count for this workspace */
  forWorkspace(workspaceId: number): Database {
    return new Database(this.#source, { ...this.#session, workspaceId });
  }

  /** The maximum number of connections of this process. */
  get poolSize(): number {
    return poolSizeOf(this.#source);
  }

  /** @returns the rows of a statement, or those of its `RETURNING` */
  async query<Row extends QueryResultRow>(statement: Sql): Promise<Row[]> {
    return (await this.run<Row>(statement)).rows;
  }

  /** @returns the number of rows that a statement inserted, updated or deleted */
  async execute(statement: Sql): Promise<number> {
    return (await this.run(statement)).rowCount ?? 0;
  }

  /**
   * @param sets each statement returns one value; all statements of a set return the same value
   * @returns for each set, the statement with the lowest cost by PostgreSQL's estimate; the first one if costs are
   *   equal
   */
  async cheapest(sets: readonly (readonly Sql[])[]): Promise<Sql[]> {
    const open = sets.filter((set) => set.length > 1).flat();
    const costs = await this.costs(open);
    const costOf = new Map(open.map((statement, index) => [statement, costs[index] ?? 0]));
    return sets.map((set) => leastBy(set, (statement) => costOf.get(statement) ?? 0));
  }

  /**
   * @param statements return one value each, and are not run
   * @returns the cost that PostgreSQL estimates for each, in its own units
   */
  async costs(statements: readonly Sql[]): Promise<number[]> {
    if (statements.length === 0) return [];
    // One EXPLAIN for all statements: each is a sub-plan of it, in their order.
    const values = sql.join(statements.map((statement) => sql`(${statement})`));
    const [row] = await this.query<{ 'QUERY PLAN': [{ Plan: { Plans: { 'Total Cost': number }[] } }] }>(
      sql`EXPLAIN (FORMAT JSON) SELECT ${values}`,
    );
    const plans = row?.['QUERY PLAN'][0].Plan.Plans ?? [];
    return statements.map((_, index) => plans[index]?.['Total Cost'] ?? 0);
  }

  /** Streams CSV or text into a `COPY … FROM STDIN`. @throws Error outside of a transaction */
  async copyIn(statement: Sql, source: Readable | AsyncIterable<Buffer | string>): Promise<void> {
    const { client } = this.#session;
    if (!client) throw new Error('COPY needs an open transaction');
    try {
      await pipeline(source, client.query(copyFrom(statement.toQuery().text)));
    } catch (error) {
      throw translateViolation(error);
    }
  }

  /**
   * Runs `work` in one transaction, or in the open one. Runs it again after a deadlock or a serialization failure, so
   * `work` must have no effect outside the database; {@link afterCommit} is for what follows the commit.
   */
  async transaction<R>(work: (tx: Database) => Promise<R>): Promise<R> {
    if (this.#session.client) return work(this);
    return withRetries(() => this.withPlace(() => this.runTransaction(work)));
  }

  /**
   * Like {@link transaction}, with a timeout for each statement. In an open transaction the timeout holds for the rest
   * of it. JIT compilation is off, because it takes longer than most of these statements.
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

  /**
   * Calls `callback` after the commit of the open transaction, or immediately if none is open. A crash may lose the
   * call.
   */
  afterCommit(callback: () => void): void {
    const { callbacks } = this.#session;
    if (callbacks) callbacks.push(callback);
    else callback();
  }

  /** TypeORM's metadata of an entity: its table and columns. */
  metadata(entity: EntityTarget<ObjectLiteral>): EntityMetadata {
    return this.#source.getMetadata(entity);
  }

  /** TypeORM's metadata of all entities; always the same array for the same data source. */
  get allMetadata(): readonly EntityMetadata[] {
    return this.#source.entityMetadatas;
  }

  private async runTransaction<R>(work: (tx: Database) => Promise<R>): Promise<R> {
    const callbacks: (() => void)[] = [];
    const [client, release] = await this.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(new Database(this.#source, { ...this.#session, client, callbacks }));
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

  /**
   * Runs a statement. Outside of a transaction it is a transaction by itself, and is repeated after the same errors.
   */
  private async run<Row extends QueryResultRow>(statement: Sql): Promise<QueryResult<Row>> {
    const { text, values } = statement.toQuery();
    const query = (): QueryConfig => ({ text, values, ...(statement.isPrepared ? preparedName(text) : {}) });
    try {
      const { client } = this.#session;
      if (client) return await client.query<Row>(query());
      return await withRetries(() => this.withPlace(() => this.runOnOwnConnection<Row>(query())));
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

  /** Runs `work` when the workspace has a free place for one more connection. */
  private withPlace<R>(work: () => Promise<R>): Promise<R> {
    const { connections, workspaceId } = this.#session;
    return connections.run(workspaceId, work);
  }

  private async connect(): Promise<[PoolClient, (broken?: Error) => void]> {
    const driver = this.#source.driver as PostgresDriver;
    const [client, release] = (await driver.obtainMasterConnection()) as [PoolClient, (broken?: Error) => void];
    // The pool listens for errors of idle connections only. If a connection ends in use, its current or next statement
    // fails.
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

const initialSession = (source: DataSource): Session => ({
  connections: new FairQueue({ concurrency: poolSizeOf(source) }),
  workspaceId: ALL_WORKSPACES,
});

/** The pool's own default is 10. */
const poolSizeOf = ({ options }: DataSource): number => (options.extra as { max?: number } | undefined)?.max ?? 10;

/** Repeats work that the database aborted in favour of another transaction, or that lost its prepared statement. */
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
