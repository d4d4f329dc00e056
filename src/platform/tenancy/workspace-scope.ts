import type { Readable } from 'node:stream';
import { CROSS_TENANT_MARK } from '@outreach/statement-check';
import type { QueryResultRow } from 'pg';
import {
  batches,
  cheapest,
  costs,
  type DelayedCommit,
  inOneStatement,
  type StatementPart,
  type TimeLimits,
  undoing,
} from '@outreach/database';
import type { FieldErrors } from '@outreach/http-errors';
import type { Clock } from '../clock/index.js';
import { type Database, sql, Sql, SqlValue, type WorkspacesInTime } from '../database/index.js';
import { notDeleted, ScopedRepository } from './scoped-repository.js';
import { assertScoped } from './assert-scoped.js';
import { type EntityClass, nounOf, type WorkspaceEntity } from './workspace-entity.js';

const CROSS_TENANT = new Sql([CROSS_TENANT_MARK], []);

/**
 * The database as one workspace sees it, and the only way in which modules access their tables. It also has the open
 * transaction, so that every statement runs in both. Interpolated into SQL, it becomes the ID of the workspace.
 */
export class WorkspaceScope extends SqlValue {
  readonly #database: Database;
  readonly #now: Sql | undefined;

  /** @param now the time of the open transaction */
  private constructor(
    readonly workspace_id: number,
    database: Database,
    now?: Sql,
  ) {
    super();
    this.#database = database;
    this.#now = now;
  }

  get sqlValue(): number {
    return this.workspace_id;
  }

  /**
   * The workspace as a value that the planner does not know: it expects as many rows as an average workspace has. Its
   * statistics may not know this workspace, for example in the transaction that imports its first contacts; then it expects one
   * row, and reads all of the workspace instead of those that the statement names by their IDs. An engine that distributes the
   * database has to know it.
   */
  get unknownToPlanner(): Sql {
    return sql.byEngine(sql`(SELECT ${this}::bigint)`, sql`${this}::bigint`);
  }

  /**
   * Returns the workspace in its current time, as another process may have put it forward. Only the token guard, the job
   * processors, pages with a signed link, the command line and tests open scopes.
   */
  static async open(workspaceId: number, database: Database): Promise<WorkspaceScope> {
    const scope = new WorkspaceScope(workspaceId, database.forTenant(workspaceId));
    await scope.refreshClock();
    return scope;
  }

  /**
   * The current time of the workspace in SQL, the same in the whole transaction: `` sql`… due_at <= ${scope.now}` ``. For
   * a workspace with the real time it is the text `now()`.
   */
  get now(): Sql {
    return this.#now ?? this.#database.clock.sqlNow();
  }

  /** The clock of the workspace: for rules that compare times. Durations use `performance.now()`. */
  get clock(): Clock {
    return this.#database.clock;
  }

  /** See {@link Database.isSandbox}. */
  isSandbox(): Promise<boolean> {
    return this.#database.isSandbox();
  }

  /** This workspace alone, in its time: for statements that are written for several workspaces. */
  get inTime(): WorkspacesInTime {
    return { now: () => this.now, within: (id) => sql` AND ${id} = ${this}` };
  }

  /** See {@link Database.refreshClock}. For work that waits for the clock, outside of a transaction: {@link open} does it. */
  refreshClock(): Promise<void> | undefined {
    return this.#database.refreshClock(this.workspace_id);
  }

  /** The same scope with the time that its clock shows now, not that of the beginning of its transaction. */
  inCurrentTime(): WorkspaceScope {
    return new WorkspaceScope(this.workspace_id, this.#database);
  }

  /** See {@link Database.withoutTimeLimits}. Take it before a transaction is open. */
  withoutTimeLimits(): WorkspaceScope {
    return new WorkspaceScope(this.workspace_id, this.#database.withoutTimeLimits(), this.#now);
  }

  /** See {@link Database.withoutStatementLimit}. Take it before a transaction is open. */
  withoutStatementLimit(): WorkspaceScope {
    return new WorkspaceScope(this.workspace_id, this.#database.withoutStatementLimit(), this.#now);
  }

  /** See {@link Database.cancelledBy}. Take it before a transaction is open. */
  cancelledBy(signal: AbortSignal): WorkspaceScope {
    return new WorkspaceScope(this.workspace_id, this.#database.cancelledBy(signal), this.#now);
  }

  /** The records of one entity in this workspace. */
  of<T extends WorkspaceEntity>(entity: EntityClass<T>): ScopedRepository<T> {
    return new ScopedRepository(this, entity, this.#database.metadata(entity));
  }

  /**
   * Marks the table after it in SQL as one that is read or written in all workspaces:
   * `NOT EXISTS (SELECT 1 FROM ${scope.crossTenant} blacklist_entries entry WHERE …)`
   */
  get crossTenant(): Sql {
    return CROSS_TENANT;
  }

  /**
   * @returns the rows of a statement, or those of its `RETURNING`
   * @throws Error when the statement does not name this scope, or uses a table of tenants without comparing its
   *   `workspace_id` with the scope: write `workspace_id = ${scope}` in each query
   */
  query<Row extends object>(statement: Sql): Promise<Row[]> {
    this.assertScoped(statement);
    return this.#database.query<Row & QueryResultRow>(statement);
  }

  /** Like {@link query}, for a statement that returns at most one row. @returns undefined if it returns none */
  async queryOne<Row extends object>(statement: Sql): Promise<Row | undefined> {
    const [row] = await this.query<Row>(statement);
    return row;
  }

  /** Like {@link query}, for a statement whose rows have an `id`. @returns the IDs */
  async queryIds(statement: Sql): Promise<number[]> {
    const rows = await this.query<{ id: number }>(statement);
    return rows.map(({ id }) => id);
  }

  /** See {@link Database.inParts}. @returns the rows of the last part @throws Error like {@link query} */
  inParts<Row extends object>(parts: readonly StatementPart[], last: Sql): Promise<Row[]> {
    this.assertScoped(inOneStatement(parts, last));
    return this.#database.inParts<Row & QueryResultRow>(parts, last);
  }

  /** Like {@link query}, for a statement that may read all records of the workspace. Few of them run at the same time. */
  search<Row extends object>(statement: Sql): Promise<Row[]> {
    this.assertScoped(statement);
    return this.#database.search<Row & QueryResultRow>(statement);
  }

  /** @returns the number of rows that a statement changed. @throws Error like {@link query} */
  execute(statement: Sql): Promise<number> {
    this.assertScoped(statement);
    return this.#database.execute(statement);
  }

  /**
   * @param sets each statement returns one value; all statements of a set return the same value
   * @returns for each set, the statement with the lowest cost by PostgreSQL's estimate
   */
  cheapest(sets: readonly (readonly Sql[])[]): Promise<Sql[]> {
    for (const statement of sets.flat()) this.assertScoped(statement);
    return cheapest(this.#database, sets);
  }

  /**
   * @param statements return one value each, and are not run
   * @returns the cost that PostgreSQL estimates for each, in its own units
   */
  costs(statements: readonly Sql[]): Promise<number[]> {
    for (const statement of statements) this.assertScoped(statement);
    return costs(this.#database, statements);
  }

  /**
   * Streams into a `COPY … FROM STDIN` of a temporary table.
   * @throws Error outside of a transaction, or if the table has a `workspace_id`
   */
  copyIn(statement: Sql, source: Readable | AsyncIterable<Buffer | string>): Promise<void> {
    assertScoped(statement.toQuery().text, [], this.#database.allMetadata);
    return this.#database.copyIn(statement, source);
  }

  /**
   * Analyzes a temporary table of the open transaction, because autovacuum does not.
   * @param indexed a column that gets an index before
   * @throws Error if it is a table of the schema
   */
  async analyze(table: string, indexed?: string): Promise<void> {
    if (this.#database.allMetadata.some((entity) => entity.tableName === table))
      throw new Error(`${table} is not a temporary table.`);
    if (indexed !== undefined)
      await this.#database.execute(sql`CREATE INDEX ON ${sql.ref(table)} (${sql.ref(indexed)})`);
    await this.#database.execute(sql`ANALYZE ${sql.ref(table)}`);
  }

  /** Runs `work` in one transaction, or in the open one. After a deadlock `work` runs again. */
  transaction<R>(work: (scope: WorkspaceScope) => Promise<R>): Promise<R> {
    return this.#database.transaction((tx) => work(new WorkspaceScope(this.workspace_id, tx, this.now)));
  }

  /** See {@link Database.snapshot}. */
  snapshot<R>(work: (scope: WorkspaceScope) => Promise<R>): Promise<R> {
    return this.#database.snapshot((tx) => work(new WorkspaceScope(this.workspace_id, tx, this.now)));
  }

  /** See {@link batches}. @throws Error like {@link query} */
  batches<Row extends QueryResultRow>(statement: Sql, size: number): AsyncGenerator<Row[]> {
    this.assertScoped(statement);
    return batches<Row>(this.#database, statement, size);
  }

  /** See {@link undoing}. */
  undoing<R>(work: () => Promise<R>): Promise<R> {
    return undoing(this.#database, work);
  }

  /**
   * Runs `work` in one transaction of several workspaces. Each has its own statements; only the commit is shared.
   * @param scopes without an open transaction, of the same database; at least one
   * @param work gets a function that returns a workspace's scope in the transaction
   */
  static transactionOfAll<R>(
    scopes: readonly [WorkspaceScope, ...WorkspaceScope[]],
    limits: TimeLimits,
    work: (inTransaction: (scope: WorkspaceScope) => WorkspaceScope) => Promise<R>,
  ): Promise<R> {
    const [first] = scopes;
    const isAlone = scopes.every((scope) => scope.workspace_id === first.workspace_id);
    const database = isAlone ? first.#database : first.#database.forAllTenants();
    return database
      .withTimeLimits(limits)
      .transaction((tx) => work(({ workspace_id: id, now }) => new WorkspaceScope(id, tx.forTenant(id), now)));
  }

  /**
   * Like {@link transaction}, with a timeout for each statement. In an open transaction the timeout holds for the rest
   * of it.
   * @throws StatementTimedOut
   */
  transactionWithin<R>(milliseconds: number, work: (scope: WorkspaceScope) => Promise<R>): Promise<R> {
    return this.#database.transactionWithin(milliseconds, (tx) =>
      work(new WorkspaceScope(this.workspace_id, tx, this.now)),
    );
  }

  /**
   * Calls `callback` after the commit of the open transaction, or immediately if none is open. A crash may lose the call,
   * so it only wakes workers, for example.
   */
  afterCommit(callback: () => void): void {
    this.#database.afterCommit(callback);
  }

  /** See {@link Database.runAfterCommit}. */
  runAfterCommit(work: () => Promise<void>): Promise<void> {
    return this.#database.runAfterCommit(work);
  }

  /**
   * See {@link Database.delayCommit}.
   * @returns the scope and the database that delay their commit, and what ends their transaction
   */
  delayCommit(onBegin: (tx: Database, scope: WorkspaceScope) => Promise<void>): {
    scope: WorkspaceScope;
    database: Database;
    commit: DelayedCommit;
  } {
    const delayed = this.#database.delayCommit((tx) =>
      onBegin(tx, new WorkspaceScope(this.workspace_id, tx, this.now)),
    );
    return { scope: new WorkspaceScope(this.workspace_id, delayed.database, this.now), ...delayed };
  }

  /** See {@link Database.commitChunk}. */
  commitChunk(): Promise<void> {
    return this.#database.commitChunk();
  }

  /**
   * Finds the IDs of a request that are not those of records of this workspace.
   * @param fieldOf returns the field of the nth ID, e.g. `` (n) => `tags.${n}` ``
   * @returns an error for each ID that belongs to another workspace or does not exist (API v1, "What the service does",
   *   rule 1)
   */
  async missingRecordErrors<T extends WorkspaceEntity>(
    entity: EntityClass<T>,
    ids: readonly number[],
    fieldOf: (index: number) => string,
  ): Promise<FieldErrors> {
    if (ids.length === 0) return {};
    const metadata = this.#database.metadata(entity);
    const which = sql.all([sql`id = ANY(${[...ids]}::bigint[])`, ...notDeleted(metadata)]);
    const found = await this.query<{ id: number }>(
      sql`SELECT id FROM ${sql.ref(metadata.tableName)} WHERE workspace_id = ${this} AND ${which}`,
    );
    const known = new Set(found.map((row) => row.id));
    return Object.fromEntries(
      ids.flatMap((id, index) => (known.has(id) ? [] : [[fieldOf(index), [`No such ${nounOf(entity)}.`]]])),
    );
  }

  private assertScoped(statement: Sql): void {
    if (statement.positionsOf((value) => value === this).length === 0)
      throw new Error('This SQL never names its workspace: add ${scope}.');
    const positions = statement.positionsOf(
      (value) => value instanceof WorkspaceScope && value.workspace_id === this.workspace_id,
    );
    assertScoped(statement.toQuery().text, positions, this.#database.allMetadata);
  }
}
