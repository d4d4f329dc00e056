import type { Readable } from 'node:stream';
import type { QueryResultRow } from 'pg';
import { type Database, type Sql, sql, SqlValue } from '../database/index.js';
import { type FieldErrors, ValidationFailed } from '../errors/index.js';
import { ScopedRepository } from './scoped-repository.js';
import { type EntityClass, nounOf, type WorkspaceEntity } from './workspace-entity.js';

/**
 * One workspace's view of the database: the only way for a module to reach its tables. It carries the open transaction
 * too, so neither the tenant nor the transaction can be left behind. Written into SQL it stands for the workspace's ID.
 */
export class WorkspaceScope extends SqlValue {
  readonly #database: Database;

  private constructor(
    readonly workspace_id: number,
    database: Database,
  ) {
    super();
    this.#database = database;
  }

  get sqlValue(): number {
    return this.workspace_id;
  }

  /** Only the token guard, the job runner, public pages with a signed token, the command line and tests open scopes. */
  static open(workspaceId: number, database: Database): WorkspaceScope {
    return new WorkspaceScope(workspaceId, database);
  }

  /** The records of one entity in this workspace. */
  of<T extends WorkspaceEntity>(entity: EntityClass<T>): ScopedRepository<T> {
    return new ScopedRepository(this, entity, this.#database.metadata(entity));
  }

  /** The rows of a statement. Refuses SQL that never names this scope: write `workspace_id = ${scope}`. */
  query<Row extends QueryResultRow>(statement: Sql): Promise<Row[]> {
    this.assertNamed(statement);
    return this.#database.query<Row>(statement);
  }

  /** How many rows a statement changed. Refuses SQL that never names this scope. */
  execute(statement: Sql): Promise<number> {
    this.assertNamed(statement);
    return this.#database.execute(statement);
  }

  /**
   * Of each set of equivalent statements the one that PostgreSQL expects to be the least work.
   * @param sets statements that give one value each; those of a set give the same
   */
  cheapest(sets: readonly (readonly Sql[])[]): Promise<Sql[]> {
    for (const statement of sets.flat()) this.assertNamed(statement);
    return this.#database.cheapest(sets);
  }

  /** What PostgreSQL expects each of the statements to cost, in its own units. They give one value each, and do not run. */
  costs(statements: readonly Sql[]): Promise<number[]> {
    for (const statement of statements) this.assertNamed(statement);
    return this.#database.costs(statements);
  }

  /** Streams into a `COPY … FROM STDIN` of a temporary table, inside a transaction. */
  copyIn(statement: Sql, source: Readable | AsyncIterable<Buffer | string>): Promise<void> {
    return this.#database.copyIn(statement, source);
  }

  /** Runs `work` in one transaction, or in the open one. `work` may run again after a deadlock. */
  transaction<R>(work: (scope: WorkspaceScope) => Promise<R>): Promise<R> {
    return this.#database.transaction((tx) => work(new WorkspaceScope(this.workspace_id, tx)));
  }

  /**
   * The same, but no statement may take longer than `milliseconds`; also for the rest of a transaction that is open.
   * @throws StatementTimedOut
   */
  transactionWithin<R>(milliseconds: number, work: (scope: WorkspaceScope) => Promise<R>): Promise<R> {
    return this.#database.transactionWithin(milliseconds, (tx) => work(new WorkspaceScope(this.workspace_id, tx)));
  }

  /** Calls `hint` once the open transaction is committed. For hints that may get lost, e.g. waking a worker. */
  afterCommit(callback: () => void): void {
    this.#database.afterCommit(callback);
  }

  /**
   * Requires records of this workspace behind IDs that a client sent.
   * @param fieldOf names the field of the nth ID in the error, e.g. `` (n) => `tags.${n}` ``
   * @throws ValidationFailed naming every ID of elsewhere or of nothing (API v1, "What the service does", rule 1)
   */
  async require<T extends WorkspaceEntity>(
    entity: EntityClass<T>,
    ids: readonly number[],
    fieldOf: (index: number) => string,
  ): Promise<void> {
    const errors = await this.missingRecordErrors(entity, ids, fieldOf);
    if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  }

  /** The faults that {@link require} would throw, for those who have more to say of the same input. */
  async missingRecordErrors<T extends WorkspaceEntity>(
    entity: EntityClass<T>,
    ids: readonly number[],
    fieldOf: (index: number) => string,
  ): Promise<FieldErrors> {
    if (ids.length === 0) return {};
    const table = sql.ref(this.#database.metadata(entity).tableName);
    const found = await this.query<{ id: number }>(
      sql`SELECT id FROM ${table} WHERE workspace_id = ${this} AND id = ANY(${[...ids]}::bigint[])`,
    );
    const known = new Set(found.map((row) => row.id));
    return Object.fromEntries(
      ids.flatMap((id, index) => (known.has(id) ? [] : [[fieldOf(index), [`No such ${nounOf(entity)}.`]]])),
    );
  }

  private assertNamed(statement: Sql): void {
    if (!statement.mentions(this)) throw new Error('This SQL never names its workspace: add ${scope}.');
  }
}
