import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { QueryResultRow } from 'pg';
import { Sql, sql, type SqlValue } from '../database/index.js';
import { NotFound } from '../errors/index.js';
import { type ListQuery, Page } from './list-query.js';
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

/** Reads and writes of one entity in one workspace. `workspace_id` is added to every statement, last. */
export class ScopedRepository<T extends WorkspaceEntity, Extra extends object = object> {
  constructor(
    private readonly scope: Statements,
    private readonly entity: EntityClass<T>,
    private readonly metadata: EntityMetadata,
    private readonly extras: Sql = sql.empty,
  ) {}

  /**
   * The same records with more columns, computed for the rows that are read only.
   * @param extras select expressions that begin with a comma and may name the row as `record`
   */
  with<E extends object>(extras: Sql): ScopedRepository<T, E> {
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
  among(ids: readonly number[]): Promise<(T & Extra)[]> {
    return this.scope.query<T & Extra>(
      sql`SELECT ${this.columns}${this.extras} FROM ${this.table} record
          WHERE record.workspace_id = ${this.scope} AND record.id = ANY(${[...ids]}::bigint[]) ORDER BY record.id`,
    );
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
   * One page of a list. IDs are filtered, sorted and cut first; columns and extras are read for that page only.
   * @param within further conditions on `record`, beside those of the query
   * @param total the number of records `within`, where it is known without counting; used when the query filters nothing
   * @throws ValidationFailed when the query refers to a record of elsewhere
   */
  async page(list: ListQuery, within: readonly Sql[] = [], total?: Sql): Promise<Page<T & Extra>> {
    await this.requireReferences(list);
    const filters = [...list.clauses()];
    const where = sql.all([sql`record.workspace_id = ${this.scope}`, ...within, ...filters]);
    const known = (filters.length === 0 && total) || (within.length === 0 && list.total(this.scope));
    const count = known || sql`SELECT count(*) FROM ${this.table} record WHERE ${where}`;
    const rows = await this.scope.query<T & Extra & { page_total: number }>(
      sql`WITH counted AS MATERIALIZED (SELECT (${count}) AS page_total)
          SELECT counted.page_total, page.* FROM counted LEFT JOIN (
            SELECT ${this.columns}${this.extras}
            FROM (${this.cut(list, this.table, sql`${where} AND (SELECT page_total FROM counted) > ${list.offset}`)}) cut
            JOIN ${this.table} record ON record.workspace_id = ${this.scope} AND record.id = cut.id
          ) page ON TRUE ORDER BY ${this.order(list, 'page')}`,
    );
    return new Page(
      rows.filter((row) => row.id !== null),
      rows[0]?.page_total ?? 0,
      list,
    );
  }

  /**
   * The records of one page, for those who know how many there are in all.
   * @param within all conditions on `record` but the workspace's; those of the query are not added
   * @param walked how many records, in the order of the list, are tested until the page is full; fewer come back where
   *   these were not enough. Without it all that match are found first and then sorted
   */
  slice(list: ListQuery, within: readonly Sql[], walked?: number): Promise<(T & Extra)[]> {
    const own = sql`SELECT record.* FROM ${this.table} record WHERE record.workspace_id = ${this.scope}`;
    const cut =
      walked === undefined
        ? this.cut(list, sql`(${own} AND (${sql.all(within)}) OFFSET 0)`, sql`TRUE`)
        : this.cut(list, sql`(${own} ORDER BY ${this.order(list, 'record')} LIMIT ${walked})`, sql.all(within));
    return this.scope.query<T & Extra>(
      sql`SELECT ${this.columns}${this.extras} FROM (${cut}) cut
          JOIN ${this.table} record ON record.workspace_id = ${this.scope} AND record.id = cut.id
          ORDER BY ${this.order(list, 'record')}`,
    );
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
    const filters = [sql`record.workspace_id = ${this.scope}`, ...list.clauses()];
    let rest: readonly Sql[] = [];
    for (;;) {
      const rows = await this.scope.query<T & Extra>(
        sql`SELECT ${this.columns}${this.extras}
            FROM (SELECT record.id FROM ${this.table} record WHERE ${sql.all([...filters, ...rest])}
                  ORDER BY ${this.order(list, 'record')} LIMIT ${size}) cut
            JOIN ${this.table} record ON record.workspace_id = ${this.scope} AND record.id = cut.id
            ORDER BY ${this.order(list, 'record')}`,
      );
      const last = rows.at(-1);
      if (!last) return;
      yield rows;
      if (rows.length < size) return;
      rest = [this.after(list, last)];
    }
  }

  /** The IDs of one page. */
  private cut(list: ListQuery, records: Sql, where: Sql): Sql {
    return sql`SELECT record.id FROM ${records} record WHERE ${where}
               ORDER BY ${this.order(list, 'record')} LIMIT ${list.per_page} OFFSET ${list.offset}`;
  }

  /** The condition on `record` that it comes after another in the order of the list. */
  private after(list: ListQuery, last: T & Extra): Sql {
    const value = list.computedSort ?? sql.ref(`record.${list.sort}`);
    const beyond = list.direction === 'asc' ? sql`>` : sql`<`;
    const reached: unknown = Object.entries(last).find(([name]) => name === list.sort)?.[1];
    if (reached === null) return sql`${value} IS NULL AND record.id ${beyond} ${last.id}`;
    const ahead = sql`(${value}, record.id) ${beyond} (${reached}, ${last.id})`;
    return this.nulls(list) === sql.empty ? ahead : sql`${ahead} OR ${value} IS NULL`;
  }

  /** Pages are cut by the value on `record`; of those that are read with the page a computed one has its name there. */
  private order(list: ListQuery, row: 'record' | 'page'): Sql {
    const direction = list.direction === 'asc' ? sql`ASC` : sql`DESC`;
    const computed = row === 'record' ? list.computedSort : undefined;
    const value = computed ?? sql.ref(`${row}.${list.sort}`);
    return sql`${value} ${direction}${this.nulls(list)}, ${sql.ref(`${row}.id`)} ${direction}`;
  }

  /** Nulls come last in both directions; only what may be null needs to say so, and other columns keep their index. */
  private nulls(list: ListQuery): Sql {
    const column = this.metadata.columns.find((each) => each.databaseName === list.sort);
    if (!column && !list.computedSort) {
      throw new Error(`${this.metadata.tableName} cannot be sorted by ${list.sort}`);
    }
    return column?.isNullable === false ? sql.empty : sql` NULLS LAST`;
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
    return sql.ref(this.metadata.tableName);
  }

  /** Secret and generated columns are not selected (`select: false`). */
  private get columns(): Sql {
    const names = this.metadata.columns.filter((column) => column.isSelect);
    return sql.join(names.map((column) => sql`record.${sql.ref(column.databaseName)}`));
  }
}

/** The driver writes JavaScript arrays as PostgreSQL arrays; JSON columns want text. */
function parameter(column: ColumnMetadata, value: unknown): Sql {
  if (value instanceof Sql) return value;
  return column.type === 'jsonb' && value !== null ? sql`${JSON.stringify(value)}` : sql`${value}`;
}
