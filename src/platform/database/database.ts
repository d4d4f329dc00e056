import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DataSource, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { FairQueue, WorkspaceActivity } from '../concurrency/index.js';
import { type Sql, sql } from './sql.js';
import { withDeadline } from './deadline.js';
import { preparedName } from './prepared-statements.js';
import { withRetries } from './retries.js';
import { beginWithin, type TimeLimits } from './time-limits.js';
import { DatabaseUnavailable, StatementTimedOut, translateViolation } from './violations.js';

/** In a transaction the server has the time limit, too. This process gives it time to end the statement by itself. */
const SERVER_FIRST_MS = 1_000;

/** Whether a statement outside of a transaction waits for locks of other transactions. Keywords are in upper case. */
const LOCKS_ROWS = /\b(INSERT|UPDATE|DELETE)\b/;

/** How many searches run at the same time in this process beside other workspaces. One workspace runs three of them. */
const MAX_CONCURRENT_SEARCHES = 4;

/** After this time, a workspace is alone. It is long, because searches that have begun delay the others until they end. */
const ALONE_AFTER_MS = 60_000;

/** The key of the statements that belong to no single workspace. IDs begin at 1. */
const ALL_WORKSPACES = 0;

/** For which workspace statements run, and the open transaction. */
interface Session {
  /** Shares the connections of the pool between the workspaces. */
  readonly connections: FairQueue;
  /** Shares the processors of PostgreSQL, of which each search occupies one. */
  readonly searches: FairQueue;
  /** For which workspaces statements and transactions run or wait for a connection. */
  readonly activity: WorkspaceActivity;
  readonly workspaceId: number;
  readonly limits: TimeLimits;
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

  /** @param session by default, statements about all workspaces outside of a transaction, without time limits */
  constructor(source: DataSource, session: Session = initialSession(source)) {
    this.#source = source;
    this.#session = session;
  }

  /** @returns the same database and transaction, whose connections count for this workspace */
  forWorkspace(workspaceId: number): Database {
    return new Database(this.#source, { ...this.#session, workspaceId });
  }

  /**
   * @returns the same database with other time limits. The server applies those of an open transaction until it ends:
   *   take this database before the transaction.
   */
  withTimeLimits(limits: TimeLimits): Database {
    return new Database(this.#source, { ...this.#session, limits });
  }

  /** For work that may take long and would be lost or repeated after an error: jobs, scheduled tasks, imports. */
  withoutTimeLimits(): Database {
    return this.withTimeLimits({});
  }

  /**
   * For statements whose work grows with the number of records, such as the deletion of a campaign. The limits on
   * waiting for locks and connections remain.
   */
  withoutStatementLimit(): Database {
    return this.withTimeLimits({ ...this.#session.limits, statementMs: undefined });
  }

  /** The maximum number of connections of this process. */
  get poolSize(): number {
    return poolSizeOf(this.#source);
  }

  /** For which workspaces statements and transactions of this process run or have run last. */
  get activity(): WorkspaceActivity {
    return this.#session.activity;
  }

  /** @returns the rows of a statement, or those of its `RETURNING` */
  async query<Row extends QueryResultRow>(statement: Sql): Promise<Row[]> {
    return (await this.run<Row>(statement)).rows;
  }

  /** Like {@link query}, for a statement that may read all records. Beside other workspaces, few run at the same time. */
  async search<Row extends QueryResultRow>(statement: Sql): Promise<Row[]> {
    const { client, searches, activity, workspaceId } = this.#session;
    if (client || !activity.hasOthers(workspaceId, ALONE_AFTER_MS)) return this.query(statement);
    return searches.run(workspaceId, () => this.query<Row>(statement));
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
    const limited = this.withTimeLimits({ ...this.#session.limits, statementMs: milliseconds });
    return limited.transaction(async (tx) => {
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
      await this.send(client, beginWithin(this.#session.limits)).catch(throwTranslated);
      const result = await work(new Database(this.#source, { ...this.#session, client, callbacks }));
      await this.send(client, 'COMMIT').catch(throwTranslated);
      for (const callback of callbacks) callback();
      return result;
    } catch (error) {
      await this.send(client, 'ROLLBACK').catch((rollback: Error) => (broken = rollback));
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
    const { client } = this.#session;
    if (client) return this.send<Row>(client, query()).catch(throwTranslated);
    try {
      return await withRetries(() => this.withPlace(() => this.runOnOwnConnection<Row>(query())));
    } catch (error) {
      const translated = translateViolation(error);
      // The server does not say whether the statement was waiting for a lock when it was cancelled.
      const waited = translated instanceof StatementTimedOut && LOCKS_ROWS.test(text);
      throw waited ? new DatabaseUnavailable(error) : translated;
    }
  }

  private send<Row extends QueryResultRow>(client: PoolClient, query: string | QueryConfig): Promise<QueryResult<Row>> {
    const { client: open, limits } = this.#session;
    const isInTransaction = open !== undefined || typeof query === 'string';
    const deadline = limits.statementMs && limits.statementMs + (isInTransaction ? SERVER_FIRST_MS : 0);
    return withDeadline(client, deadline, () => client.query<Row>(query));
  }

  private async runOnOwnConnection<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    const [client, release] = await this.connect();
    let broken: Error | undefined;
    try {
      return await this.send<Row>(client, query);
    } catch (error) {
      if (error instanceof Error && !('severity' in error)) broken = error;
      throw error;
    } finally {
      release(broken);
    }
  }

  /** Runs `work` when the workspace has a free place for one more connection. @throws DatabaseUnavailable */
  private async withPlace<R>(work: () => Promise<R>): Promise<R> {
    const { connections, activity, workspaceId, limits } = this.#session;
    const { connectionMs: milliseconds } = limits;
    const limit = milliseconds === undefined ? undefined : { milliseconds, error: allInUse };
    const end = workspaceId === ALL_WORKSPACES ? undefined : activity.begin(workspaceId);
    try {
      const release = connections.tryAcquire(workspaceId) ?? (await connections.acquire(workspaceId, undefined, limit));
      return await work().finally(release);
    } finally {
      end?.();
    }
  }

  /** @throws DatabaseUnavailable */
  private async connect(): Promise<[PoolClient, (broken?: Error) => void]> {
    const driver = this.#source.driver as PostgresDriver;
    const obtained = driver.obtainMasterConnection().catch((error: unknown) => {
      throw new DatabaseUnavailable(error);
    });
    return (await obtained) as [PoolClient, (broken?: Error) => void];
  }
}

const initialSession = (source: DataSource): Session => ({
  connections: new FairQueue({ concurrency: poolSizeOf(source) }),
  searches: new FairQueue({ concurrency: MAX_CONCURRENT_SEARCHES }),
  activity: new WorkspaceActivity(),
  workspaceId: ALL_WORKSPACES,
  limits: {},
});

const allInUse = (): Error => new DatabaseUnavailable('All connections of this process are in use.');

function throwTranslated(error: unknown): never {
  throw translateViolation(error);
}

/** The pool's own default is 10. */
const poolSizeOf = ({ options }: DataSource): number => (options.extra as { max?: number } | undefined)?.max ?? 10;

function leastBy(set: readonly Sql[], cost: (statement: Sql) => number): Sql {
  const [first, ...others] = set;
  if (!first) throw new Error('A set of statements is empty.');
  return others.reduce((best, other) => (cost(other) < cost(best) ? other : best), first);
}
