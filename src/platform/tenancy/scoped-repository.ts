import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { QueryResultRow } from 'pg';
import { NotFound } from '@outreach/http-errors';
import { KnownIds, Sql, sql, type SqlValue } from '../database/index.js';
import { type ListQuery, type Page, pageOf, type PageTotal } from './list-query.js';
import type { LastListed } from './list-order.js';
import { type Approach, ListStatements } from './list-statements.js';
import {
  type EntityClass,
  type ColumnFilter,
  nounOf,
  type ColumnValues,
  type WorkspaceEntity,
} from './workspace-entity.js';

/** What a repository needs from its scope. */
interface Statements extends SqlValue {
  /** See `WorkspaceScope.unknownToPlanner`. */
  readonly unknownToPlanner: Sql;
  query<Row extends QueryResultRow>(statement: Sql): Promise<Row[]>;
  search<Row extends QueryResultRow>(statement: Sql): Promise<Row[]>;
  execute(statement: Sql): Promise<number>;
  /** The workspace's time, see `WorkspaceScope.now`. */
  readonly now: Sql;
}

/** The number of records that {@link ScopedRepository.iterate} reads in one statement. */
const BATCH_SIZE = 1000;

/**
 * Reads and writes the records of one entity in one workspace. Adds `workspace_id` to every statement. If the entity has a
 * `@DeleteDateColumn`, records with a date in it do not exist for the repository.
 */
export class ScopedRepository<T extends WorkspaceEntity, Extra extends object = object> {
  private readonly lists: ListStatements;
  /** The condition on `record` that all records meet. */
  private readonly owned: Sql;

  constructor(
    private readonly scope: Statements,
    private readonly entity: EntityClass<T>,
    private readonly metadata: EntityMetadata,
    private readonly extras: Sql = sql.empty,
  ) {
    this.owned = sql.all([sql`record.workspace_id = ${scope}`, ...notDeleted(metadata, sql`record.`)]);
    this.lists = new ListStatements(metadata, this.owned, extras);
  }

  /**
   * @param extras select expressions that begin with a comma and may refer to the row as `record`
   * @returns a repository of the same records with more columns, which are computed only for the records that are
   *   returned
   */
  withColumns<E extends object>(extras: Sql): ScopedRepository<T, E> {
    return new ScopedRepository<T, E>(this.scope, this.entity, this.metadata, extras);
  }

  /** @param within further conditions on `record` @returns all records that equal the filter, by ID */
  find(filter: ColumnFilter<T>, within: readonly Sql[] = []): Promise<(T & Extra)[]> {
    const where = sql.all([this.where(filter), ...within]);
    return this.scope.query<T & Extra>(
      sql`SELECT ${this.columns}${this.extras} FROM ${this.table} record WHERE ${where} ORDER BY record.id`,
    );
  }

  /** @returns the records with these IDs that belong to the workspace, by ID */
  findByIds(ids: readonly number[]): Promise<(T & Extra)[]> {
    return this.scope.query<T & Extra>(
      sql`SELECT ${this.columns}${this.extras} FROM ${this.table} record
          WHERE ${this.ownedByUnknown} AND record.id = ANY(${[...ids]}::bigint[])
          ORDER BY record.id`.preparedWhileFew(),
    );
  }

  /**
   * Yields the records whose IDs a sub-select returns, by ID, in batches. The sub-select runs once, so it may be
   * expensive. It is a separate statement, because a join in a workspace that has just grown would scan all IDs for
   * each record: PostgreSQL's statistics are out of date then. Each batch checks that its records belong to the
   * workspace.
   */
  async *iterate(ids: Sql): AsyncGenerator<(T & Extra)[]> {
    for await (const batch of this.iterateIds(ids)) yield await this.findByIds(batch);
  }

  /** Yields the IDs that a sub-select returns, each once and in order, in batches like those of {@link iterate}. */
  async *iterateIds(ids: Sql): AsyncGenerator<readonly number[]> {
    if (!(ids instanceof KnownIds)) {
      for (const batch of await this.selected(ids)) yield batch.ids;
      return;
    }
    const known = [...new Set(ids.ids)].sort((one, other) => one - other);
    for (let start = 0; start < known.length; start += BATCH_SIZE) yield known.slice(start, start + BATCH_SIZE);
  }

  /** The IDs come as arrays, because an object for each would take ten times the memory. */
  private selected(ids: Sql): Promise<{ ids: readonly number[] }[]> {
    return this.scope.query<{ ids: readonly number[] }>(
      sql`SELECT array_agg(numbered.id ORDER BY numbered.id) AS ids, ${this.scope}::bigint AS workspace_id
          FROM (SELECT found.id, row_number() OVER (ORDER BY found.id) - 1 AS position
                FROM (SELECT DISTINCT selected.id FROM (${ids}) selected (id)) found) numbered
          GROUP BY numbered.position / ${sql.integer(BATCH_SIZE)} ORDER BY numbered.position / ${sql.integer(BATCH_SIZE)}`,
    );
  }

  /** @returns one record. @throws NotFound */
  async get(id: number): Promise<T & Extra> {
    const statement = sql`SELECT ${this.columns}${this.extras} FROM ${this.table} record
      WHERE ${this.owned} AND record.id = ${id}`;
    const [row] = await this.scope.query<T & Extra>(statement.prepared());
    return this.found(row);
  }

  /**
   * Inserts a record.
   * @returns the record with its ID and dates
   * @throws the error that is declared for a violated constraint
   */
  async insert(values: ColumnValues<T>): Promise<T> {
    const entries = this.withTimes(this.writable(values));
    const names = entries.map(([column]) => sql.ref(column.databaseName));
    const list = sql.join([...entries.map(([column, value]) => parameter(column, value)), sql`${this.scope}`]);
    const [row] = await this.scope.query<T>(
      sql`INSERT INTO ${this.table} AS record (${sql.join([...names, sql.ref('workspace_id')])})
          ${entries.some(([, value]) => isSubSelect(value)) ? sql`SELECT ${list}` : sql`VALUES (${list})`}
          RETURNING ${this.columns}`.preparedWhileFew(),
    );
    return this.found(row);
  }

  /**
   * Updates the given columns and `updated_at`. A column that is `undefined` does not change; if all are, nothing is
   * written.
   * @throws NotFound
   */
  async update(id: number, changes: ColumnValues<T>): Promise<T & Extra> {
    const entries = this.writable(changes);
    if (entries.length === 0) return this.get(id);
    const sets = entries.map(([column, value]) => sql`${sql.ref(column.databaseName)} = ${parameter(column, value)}`);
    const [row] = await this.scope.query<T & Extra>(
      sql`UPDATE ${this.table} record SET ${sql.join([...sets, sql`updated_at = ${this.scope.now}`])}
          WHERE ${this.owned} AND record.id = ${id}
          RETURNING ${this.columns}${this.extras}`.preparedWhileFew(),
    );
    return this.found(row);
  }

  /** @throws NotFound */
  async delete(id: number): Promise<void> {
    const deleted = await this.scope.execute(
      sql`DELETE FROM ${this.table} record WHERE ${this.owned} AND record.id = ${id}`,
    );
    if (deleted === 0) throw new NotFound(this.noun);
  }

  /** Locks one record until the transaction ends. @throws NotFound */
  async lock(id: number): Promise<T> {
    const [row] = await this.scope.query<T>(
      sql`SELECT ${this.columns} FROM ${this.table} record
          WHERE ${this.owned} AND record.id = ${id} FOR UPDATE`,
    );
    return this.found(row);
  }

  /**
   * @param within further conditions on `record`, in addition to those of the query
   * @param total the number of records `within`, if it is known without counting; used if the query has no filter
   * @returns one page of a list
   */
  async page(list: ListQuery, within: readonly Sql[] = [], total?: Sql): Promise<Page<T & Extra>> {
    const filters = [...list.clauses(this.scope)];
    const known =
      (filters.length === 0 ? total : undefined) ?? (within.length === 0 ? list.knownTotal(this.scope) : undefined);
    const statement = this.lists.page(list, [...within, ...filters], known);
    const rows: ((T & Extra) & PageTotal)[] =
      filters.length > 0 ? await this.scope.search(statement) : await this.scope.query(statement);
    return pageOf(rows, list);
  }

  /**
   * Reads one page without its total, for callers that know the total and so the best way to find the records.
   * @param within all conditions on `record` except that of the workspace; those of the query are not added
   */
  pageRows(list: ListQuery, within: readonly Sql[], approach: Approach): Promise<(T & Extra)[]> {
    return this.scope.query<T & Extra>(this.lists.pageRows(list, within, approach));
  }

  /**
   * Yields the IDs of all records of a list, in its order, in batches of `size`. Each batch is a separate statement that
   * starts after the last record of the previous one, so no connection is in use between them. Each may test the filters
   * on all records, so `size` should be large. A record whose position changes between two batches may be returned twice
   * or not at all.
   * @param within further conditions on `record`, in addition to those of the query
   */
  async *idBatches(list: ListQuery, size: number, within: readonly Sql[] = []): AsyncGenerator<readonly number[]> {
    const conditions = [...within, ...list.clauses(this.scope)];
    let last: (LastListed & { readonly ids: readonly number[] }) | undefined;
    do {
      [last] = await this.scope.search<LastListed & { readonly ids: readonly number[] }>(
        this.lists.idBatch(list, conditions, size, last),
      );
      if (last) yield last.ids;
    } while (last?.ids.length === size);
  }

  /** @returns those of the records with these IDs that a list has, in the order of the IDs */
  async findListed(list: ListQuery, ids: readonly number[], within: readonly Sql[] = []): Promise<(T & Extra)[]> {
    const rows = await this.scope.query<T & Extra>(this.lists.listed([...within, ...list.clauses(this.scope)], ids));
    const positions = new Map(ids.map((id, position) => [id, position]));
    const positionOf = ({ id }: T & Extra): number => positions.get(id) ?? 0;
    return rows.sort((one, other) => positionOf(one) - positionOf(other));
  }

  private where(filter: ColumnFilter<T>): Sql {
    const clauses = Object.entries(filter).map(([name, value]) =>
      value === null ? sql`record.${sql.ref(name)} IS NULL` : sql`record.${sql.ref(name)} = ${value}`,
    );
    return sql.all([...clauses, this.owned]);
  }

  private get ownedByUnknown(): Sql {
    const owner = sql`record.workspace_id = ${this.scope.unknownToPlanner}`;
    return sql.all([owner, ...notDeleted(this.metadata, sql`record.`)]);
  }

  private writable(values: ColumnValues<T>): [ColumnMetadata, unknown][] {
    return Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const column = this.metadata.findColumnWithPropertyName(name);
      if (!column) throw new Error(`${this.metadata.tableName} has no column ${name}`);
      return [[column, value] as [ColumnMetadata, unknown]];
    });
  }

  /** @returns the values, and the scope's time for the other columns whose default is the current time */
  private withTimes(entries: readonly [ColumnMetadata, unknown][]): (readonly [ColumnMetadata, unknown])[] {
    const written = new Set(entries.map(([column]) => column));
    const times = timesOf(this.metadata).filter((column) => !written.has(column));
    return [...entries, ...times.map((column) => [column, this.scope.now] as const)];
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

/** @param prefix what precedes the column in SQL @returns the condition that a record is not marked as deleted, if it can be */
export function notDeleted({ deleteDateColumn }: EntityMetadata, prefix = sql.empty): Sql[] {
  return deleteDateColumn ? [sql`${prefix}${sql.ref(deleteDateColumn.databaseName)} IS NULL`] : [];
}

const timesByEntity = new WeakMap<EntityMetadata, readonly ColumnMetadata[]>();

/** @returns the columns whose default is the current time */
function timesOf(metadata: EntityMetadata): readonly ColumnMetadata[] {
  const known = timesByEntity.get(metadata);
  if (known) return known;
  const times = metadata.columns.filter(
    (column) => typeof column.default === 'function' && (column.default as () => unknown)() === 'now()',
  );
  timesByEntity.set(metadata, times);
  return times;
}

/** An engine of several nodes accepts sub-selects in a `SELECT` only. */
const isSubSelect = (value: unknown): boolean => value instanceof Sql && value.toQuery().text.startsWith('(SELECT');

/** JSON columns get text, because the driver turns a JavaScript array into a PostgreSQL array. */
function parameter(column: ColumnMetadata, value: unknown): Sql {
  if (value instanceof Sql) return value;
  return column.type === 'jsonb' && value !== null ? sql`${JSON.stringify(value)}` : sql`${value}`;
}
