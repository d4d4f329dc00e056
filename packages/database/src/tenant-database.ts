import type { KeyActivity } from '@outreach/concurrency';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { QueryResult, QueryResultRow } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DataSource, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import { ALL_TENANTS, type ConnectionCounts } from './connections.js';
import { DelayedCommit } from './delayed-commit.js';
import { type OpenTransaction, orRollBack } from './open-transaction.js';
import { withRetries } from './retries.js';
import type { Session } from './session.js';
import { type Sql, sql } from '@outreach/sql-fragments';
import { locksRows, StatementRunner } from './statement-runner.js';
import { inOneStatement, runParts, type StatementPart } from './statement-parts.js';
import type { TimeLimits } from './time-limits.js';
import { NodeUnavailable, translateError } from './database-errors.js';

/** After this time, a tenant is alone. It is long, because searches that have begun delay the others until they end. */
const ALONE_AFTER_MS = 60_000;

/** A database that delays a commit, and what ends the transaction. */
interface Delayed<D> {
  readonly database: D;
  readonly commit: DelayedCommit;
}

/**
 * A PostgreSQL database, either with a connection per statement or inside one transaction. The tenants share the connections of
 * the process: a tenant that uses many does not make another wait. A subclass that has more than its session overrides
 * {@link with}.
 */
export class TenantDatabase {
  readonly #session: Session;
  readonly #statements: StatementRunner;

  /** @param session of `initialSession`, or of another one of these */
  constructor(
    protected readonly source: DataSource,
    session: Session,
  ) {
    this.#session = session;
    this.#statements = new StatementRunner(session);
  }

  /** @returns the same database with another session */
  protected with(session: Session): this {
    return new TenantDatabase(this.source, session) as this;
  }

  /** The tenant of {@link forTenant}. */
  protected get tenantId(): number {
    return this.#session.tenantId;
  }

  /** @returns the same database and transaction, whose connections count for this tenant */
  forTenant(tenantId: number): this {
    return this.with({ ...this.#session, tenantId });
  }

  /** @returns the same database, whose connections count for no single tenant */
  forAllTenants(): this {
    return this.forTenant(ALL_TENANTS);
  }

  /**
   * @returns the same database with other time limits. The server applies those of an open transaction until it ends:
   *   take this database before the transaction.
   */
  withTimeLimits(limits: TimeLimits): this {
    return this.with({ ...this.#session, limits });
  }

  /** For work that may take long and would be lost or repeated after an error: jobs, scheduled tasks, imports. */
  withoutTimeLimits(): this {
    return this.withTimeLimits({});
  }

  /**
   * For statements whose work grows with the number of records, such as the deletion of a campaign. The limits on
   * waiting for locks and connections remain.
   */
  withoutStatementLimit(): this {
    return this.withTimeLimits({ ...this.#session.limits, statementMs: undefined });
  }

  /** @returns the same database, whose statements are cancelled, and throw the reason, when the signal is aborted */
  cancelledBy(signal: AbortSignal): this {
    return this.with({ ...this.#session, signal });
  }

  /** Whether its tables lie on several nodes. Known after the first statement. */
  get isDistributed(): boolean {
    return this.#session.connections.engine.nodes !== undefined;
  }

  /**
   * Runs a statement about all tenants. If one of several nodes is away, runs it for the tenants of the others.
   * @param run gets a condition that begins with `AND`, and is empty for all tenants, from the SQL of a tenant's ID
   */
  async onReachableNodes<R>(run: (within: (tenantId: Sql) => Sql) => Promise<R>): Promise<R> {
    try {
      return await run(() => sql.empty);
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error;
      const ids = await this.reachableTenants();
      return run((tenantId) => sql` AND ${tenantId} = ANY(${[...ids]}::bigint[])`);
    }
  }

  /** @returns the tenants whose rows lie on nodes that answer; by default none are known */
  protected reachableTenants(): Promise<readonly number[]> {
    return Promise.resolve([]);
  }

  /** The maximum number of connections of this process. */
  get poolSize(): number {
    return this.#session.connections.size;
  }

  /** The connections of this process by state. */
  get connectionCounts(): ConnectionCounts {
    return this.#session.connections.counts;
  }

  /** For which tenants statements and transactions of this process run or have run last. */
  get activity(): KeyActivity {
    return this.#session.connections.activity;
  }

  /** @returns the rows of a statement, or those of its `RETURNING` */
  async query<Row extends QueryResultRow>(statement: Sql): Promise<Row[]> {
    return (await this.run<Row>(statement)).rows;
  }

  /**
   * Runs a statement whose parts read each other: on one server as it is, on several nodes part by part in a transaction. There
   * a part sees what those before it have written.
   * @param last what reads the parts
   */
  inParts<Row extends QueryResultRow>(parts: readonly StatementPart[], last: Sql): Promise<Row[]> {
    if (this.isDistributed) return this.transaction((tx) => runParts<Row>(tx, parts, last));
    return this.query<Row>(inOneStatement(parts, last));
  }

  /** Like {@link query}, for a statement that may read all records. Beside other tenants, few run at the same time. */
  async search<Row extends QueryResultRow>(statement: Sql): Promise<Row[]> {
    const { transaction, searches, tenantId } = this.#session;
    if (transaction || !this.activity.hasOthers(tenantId, ALONE_AFTER_MS)) return this.query(statement);
    return searches.run(tenantId, () => this.query<Row>(statement));
  }

  /** @returns the number of rows that a statement inserted, updated or deleted */
  async execute(statement: Sql): Promise<number> {
    return (await this.run(statement)).rowCount ?? 0;
  }

  /** Streams CSV or text into a `COPY … FROM STDIN`. @throws Error outside of a transaction */
  async copyIn(statement: Sql, source: Readable | AsyncIterable<Buffer | string>): Promise<void> {
    const { transaction } = this.#session;
    if (!transaction) throw new Error('COPY needs an open transaction');
    try {
      await transaction.begin();
      await pipeline(source, transaction.client.query(copyFrom(statement.toQuery().text)));
    } catch (error) {
      throw translateError(error);
    }
  }

  /**
   * Runs `work` in one transaction, or in the open one. Runs it again after a deadlock or a serialization failure, so
   * `work` must have no effect outside the database; {@link afterCommit} is for what follows the commit.
   */
  async transaction<R>(work: (tx: this) => Promise<R>): Promise<R> {
    const { transaction, delayed } = this.#session;
    if (transaction) return work(this);
    if (delayed?.isPending) {
      return delayed.run(
        this.#session.limits,
        () => this.#statements.begin(),
        (tx) => work(this.in(tx)),
      );
    }
    const { result, committed } = await withRetries(async () => {
      const begun = await this.#statements.begin();
      return orRollBack(begun, async () => {
        const returned = await work(this.in(begun));
        await begun.commit();
        return { result: returned, committed: begun };
      });
    });
    await committed.runCallbacks();
    return result;
  }

  /**
   * Runs `work` in a transaction that only reads, and sees the database as it is at the first statement of `work`.
   * @throws Error inside of a transaction
   */
  snapshot<R>(work: (tx: this) => Promise<R>): Promise<R> {
    if (this.#session.transaction) throw new Error('A snapshot needs a transaction of its own.');
    return this.transaction(async (tx) => {
      await tx.run(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`);
      return work(tx);
    });
  }

  /**
   * Delays the commit of the first transaction, so that the caller can add statements to it that depend on the result.
   * The transaction begins with the first call of {@link transaction} or the first statement that writes; what follows
   * joins it. Only the call that begins it is repeated after a deadlock.
   * @param onBegin runs first in the transaction; what it throws rolls it back
   * @returns the database that does so, and what ends the transaction
   */
  delayCommit(onBegin: (tx: this) => Promise<void>): Delayed<this> {
    const delayed = new DelayedCommit((tx) => onBegin(this.in(tx)));
    return { database: this.with({ ...this.#session, delayed }), commit: delayed };
  }

  /**
   * Commits what {@link delayCommit} keeps open; otherwise does nothing. For work in chunks that are committed one by one:
   * call it between them, outside of a transaction.
   */
  async commitChunk(): Promise<void> {
    const { transaction, delayed } = this.#session;
    if (!transaction) await delayed?.commitChunk();
  }

  /**
   * Like {@link transaction}, with a timeout for each statement. In an open transaction the timeout holds for the rest
   * of it. JIT compilation is off, because it takes longer than most of these statements.
   * @throws StatementTimedOut
   */
  transactionWithin<R>(milliseconds: number, work: (tx: this) => Promise<R>): Promise<R> {
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
    if (this.open) this.open.afterCommit(callback);
    else callback();
  }

  /** Like {@link afterCommit}, for work that takes time: the caller waits for it if no transaction is open. */
  async runAfterCommit(work: () => Promise<void>): Promise<void> {
    if (this.open) this.open.afterCommit(work);
    else await work();
  }

  /** TypeORM's metadata of an entity: its table and columns. */
  metadata(entity: EntityTarget<ObjectLiteral>): EntityMetadata {
    return this.source.getMetadata(entity);
  }

  /** TypeORM's metadata of all entities; always the same array for the same data source. */
  get allMetadata(): readonly EntityMetadata[] {
    return this.source.entityMetadatas;
  }

  /** Whether statements run in an open transaction. */
  get isInTransaction(): boolean {
    return this.#session.transaction !== undefined;
  }

  private get open(): OpenTransaction | undefined {
    return this.#session.transaction ?? this.#session.delayed?.open;
  }

  private in(transaction: OpenTransaction): this {
    return this.with({ ...this.#session, transaction });
  }

  /**
   * Runs a statement. Outside of a transaction it is a transaction by itself, and is repeated after the same errors.
   */
  private async run<Row extends QueryResultRow>(statement: Sql): Promise<QueryResult<Row>> {
    const { transaction, delayed } = this.#session;
    if (transaction) return this.#statements.runIn<Row>(transaction, statement);
    const isDelayed = delayed?.isPending && (delayed.open || locksRows(statement));
    if (isDelayed) return this.transaction((tx) => tx.run<Row>(statement));
    return this.#statements.runAlone<Row>(statement);
  }
}
