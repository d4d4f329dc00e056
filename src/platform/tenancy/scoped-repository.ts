import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { QueryResultRow } from 'pg';
import { Sql, sql, type SqlValue } from '../database/index.js';
import { NotFound } from '../errors/index.js';
import { type ListQuery, type Page, pageOf, type PageTotal } from './list-query.js';
import { type Approach, ListStatements } from './list-statements.js';
import { type EntityClass, type Filter, nounOf, type Values, type WorkspaceEntity } from './workspace-entity.js';

/** What a repository needs of its scope. */
interface Statements extends SqlValue {
  query<Row extends QueryResultRow>(statement: Sql): Promise<Row[]>;
  execute(statement: Sql): Promise<number>;
  require<E extends WorkspaceEntity>(
    entity: EntityClass<E>,
    ids: readonly number[],
    fieldOf: (index: number) => string,
  ): Promise<void>;
}

/** Records that are read at once where many are wanted. */
const BATCH_SIZE = 1000;

/** Reads and writes of one entity in one workspace. `workspace_id` is added to every statement, last. */
export class ScopedRepository<T extends WorkspaceEntity, Extra extends object = object> {
  private readonly lists: ListStatements;

  constructor(
    private readonly scope: Statements,
    private readonly entity: EntityClass<T>,
    private readonly metadata: EntityMetadata,
    private readonly extras: Sql = sql.empty,
  ) {
    this.lists = new ListStatements(metadata, sql`record.workspace_id = ${scope}`, extras);
  }

  /**
   * The same records with more columns, computed for the rows that are read only.
   * @param extras select expressions that begin with a comma and may name the row as `record`
   */
  withColumns<E extends object>(extras: Sql): ScopedRepository<T, E> {
    return new ScopedRepository<T, E>(this.scope, this.entity, this.metadata, extras);
  }

  /** All records that equal the filter, by ID. @param within further conditions on `record` */
  find(filter: Filter<T>, within: readonly Sql[] = []): Promise<(T & Extra)[]> {
    const where = sql.all([this.where(filter), ...within]);
    return this.scope.query<T & Extra>(
      sql`SELECT ${this.columns}${this.extras} FROM ${this.table} record WHERE ${where} ORDER BY record.id`,
    );
  }

  /** Those of the IDs that are records of the workspace, by ID. */
  findByIds(ids: readonly number[]): Promise<(T & Extra)[]> {
    return this.scope.query<T & Extra>(
      sql`SELECT ${this.columns}${this.extras} FROM ${this.table} record
          WHERE record.workspace_id = ${this.scope} AND record.id = ANY(${[...ids]}::bigint[]) ORDER BY record.id`,
    );
  }

  /**
   * The records whose IDs a sub-select gives, by ID, in batches. It is asked once, so a costly one is none the dearer.
   * And alone: where a workspace has just grown, and PostgreSQL takes it for small, a join would look through all IDs
   * for each record. Whose they are is asked with each batch.
   */
  async *iterate(ids: Sql): AsyncGenerator<(T & Extra)[]> {
    const found = await this.scope.query<{ id: number }>(
      sql`SELECT DISTINCT selected.id, ${this.scope}::bigint AS workspace_id FROM (${ids}) selected (id) ORDER BY selected.id`,
    );
    for (let start = 0; start < found.length; start += BATCH_SIZE) {
      yield await this.findByIds(found.slice(start, start + BATCH_SIZE).map(({ id }) => id));
    }
  }

  /** One record. @throws NotFound */
  async get(id: number): Promise<T & Extra> {
    const statement = sql`SELECT ${this.columns}${this.extras} FROM ${this.table} record
      WHERE record.workspace_id = ${this.scope} AND record.id = ${id}`;
    const [row] = await this.scope.query<T & Extra>(statement.prepared());
    return this.found(row);
  }

  /** Writes a new record and gives it back with its ID and dates. Constraints throw what they are declared to mean. */
  async insert(values: Values<T>): Promise<T> {
    const entries = this.writable(values);
    const names = entries.map(([column]) => sql.ref(column.databaseName));
    const [row] = await this.scope.query<T>(
      sql`INSERT INTO ${this.table} AS record (${sql.join([...names, sql.ref('workspace_id')])})
          VALUES (${sql.join([...entries.map(([column, value]) => parameter(column, value)), sql`${this.scope}`])})
          RETURNING ${this.columns}`,
    );
    return this.found(row);
  }

  /** Changes the named columns, `updated_at` too; `undefined` keeps. Without a change nothing is written. @throws NotFound */
  async update(id: number, changes: Values<T>): Promise<T> {
    const entries = this.writable(changes);
    if (entries.length === 0) return this.get(id);
    const sets = entries.map(([column, value]) => sql`${sql.ref(column.databaseName)} = ${parameter(column, value)}`);
    const [row] = await this.scope.query<T>(
      sql`UPDATE ${this.table} record SET ${sql.join([...sets, sql`updated_at = now()`])}
          WHERE record.workspace_id = ${this.scope} AND record.id = ${id} RETURNING ${this.columns}`,
    );
    return this.found(row);
  }

  /** @throws NotFound */
  async delete(id: number): Promise<void> {
    const deleted = await this.scope.execute(
      sql`DELETE FROM ${this.table} record WHERE record.workspace_id = ${this.scope} AND record.id = ${id}`,
    );
    if (deleted === 0) throw new NotFound(this.noun);
  }

  /** Locks one record until the transaction ends. @throws NotFound */
  async lock(id: number): Promise<T> {
    const [row] = await this.scope.query<T>(
      sql`SELECT ${this.columns} FROM ${this.table} record
          WHERE record.workspace_id = ${this.scope} AND record.id = ${id} FOR UPDATE`,
    );
    return this.found(row);
  }

  /**
   * One page of a list.
   * @param within further conditions on `record`, beside those of the query
   * @param total the number of records `within`, where it is known without counting; used when the query filters nothing
   * @throws ValidationFailed when the query refers to a record of elsewhere
   */
  async page(list: ListQuery, within: readonly Sql[] = [], total?: Sql): Promise<Page<T & Extra>> {
    await this.requireReferences(list);
    const filters = [...list.clauses()];
    const known =
      (filters.length === 0 ? total : undefined) ?? (within.length === 0 ? list.total(this.scope) : undefined);
    const rows = await this.scope.query<(T & Extra) & PageTotal>(this.lists.page(list, [...within, ...filters], known));
    return pageOf(rows, list);
  }

  /**
   * The records of one page, for those who know how many there are in all, and so how best to find them.
   * @param within all conditions on `record` but the workspace's; those of the query are not added
   */
  pageRows(list: ListQuery, within: readonly Sql[], approach: Approach): Promise<(T & Extra)[]> {
    return this.scope.query<T & Extra>(this.lists.pageRows(list, within, approach));
  }

  /** @throws ValidationFailed when the query refers to a record of elsewhere */
  async requireReferences(list: ListQuery): Promise<void> {
    for (const { field, entity, id } of list.references()) await this.scope.require(entity, [id], () => field);
  }

  /**
   * Everything that a list finds, in its order and without its pages, in batches of `size`. Each batch is a statement
   * that begins after the last record of the one before, so nothing stays open while the reader is busy with it; a
   * record whose place changes meanwhile may come twice or not at all.
   */
  async *batches(list: ListQuery, size: number): AsyncGenerator<(T & Extra)[]> {
    let last: (T & Extra) | undefined;
    for (;;) {
      const rows: (T & Extra)[] = await this.scope.query<T & Extra>(this.lists.batch(list, size, last));
      last = rows.at(-1);
      if (last) yield rows;
      if (rows.length < size) return;
    }
  }

  private where(filter: Filter<T>): Sql {
    const clauses = Object.entries(filter).map(([name, value]) =>
      value === null ? sql`record.${sql.ref(name)} IS NULL` : sql`record.${sql.ref(name)} = ${value}`,
    );
    return sql.all([...clauses, sql`record.workspace_id = ${this.scope}`]);
  }

  private writable(values: Values<T>): [ColumnMetadata, unknown][] {
    return Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const column = this.metadata.findColumnWithPropertyName(name);
      if (!column) throw new Error(`${this.metadata.tableName} has no column ${name}`);
      return [[column, value] as [ColumnMetadata, unknown]];
    });
  }

  private found<Row>(row: Row | undefined): Row {
    if (!row) throw new NotFound(this.noun);
    return row;
  }

  private get noun(): string {
    const noun = nounOf(this.entity);
    return noun[0]?.toUpperCase() + noun.slice(1);
  }

  private get table(): Sql {
    return this.lists.table;
  }

  private get columns(): Sql {
    return this.lists.columns;
  }
}

/** The driver writes JavaScript arrays as PostgreSQL arrays; JSON columns want text. */
function parameter(column: ColumnMetadata, value: unknown): Sql {
  if (value instanceof Sql) return value;
  return column.type === 'jsonb' && value !== null ? sql`${JSON.stringify(value)}` : sql`${value}`;
}
