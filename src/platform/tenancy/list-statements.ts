import type { EntityMetadata } from 'typeorm';
import { type Sql, sql } from '../database/index.js';
import type { ListQuery, DefaultOrder } from './list-query.js';

/**
 * How a page is found. `filter first` finds all records that match, then sorts them. `walk` reads at most that many
 * records in the order of the list and tests each, so the page may be incomplete. `as planned` leaves it to PostgreSQL.
 */
export type Approach = 'filter first' | 'as planned' | { readonly walk: number };

/** Where a list continues: the ID of a record, and the value that it was sorted by. */
export interface LastListed {
  readonly id: number;
  readonly sort_value: unknown;
}

/** Columns whose values are stored in lower case: an index on them serves the order. */
const LOWER_CASE_COLUMNS: ReadonlySet<string> = new Set(['email', 'event', 'from_email', 'slug']);

/**
 * The SQL of the lists of one entity: filters, order and page. A statement first finds the IDs of the page, then reads
 * columns and extras for these IDs only.
 */
export class ListStatements {
  /**
   * @param owned the condition on `record` that all records of the list meet, such as that of the workspace
   * @param extras select expressions that begin with a comma and may refer to the row as `record`
   */
  constructor(
    private readonly metadata: EntityMetadata,
    private readonly owned: Sql,
    private readonly extras: Sql = sql.empty,
  ) {}

  /** The columns of the entity except those with `select: false`, which are secret or generated. */
  get columns(): Sql {
    const names = this.metadata.columns.filter((column) => column.isSelect);
    return sql.join(names.map((column) => sql`record.${sql.ref(column.databaseName)}`));
  }

  get table(): Sql {
    return sql.ref(this.metadata.tableName);
  }

  /** Finds all records that meet a condition on `record`, by ID. */
  find(where: Sql): Sql {
    return sql`SELECT ${this.columns}${this.extras} FROM ${this.table} record
               WHERE ${sql.all([this.owned, where])} ORDER BY record.id`;
  }

  /**
   * Finds a page. Each row has the total as `page_total`; an empty page is one row with nothing else.
   * @param within all conditions on `record` except `owned`
   * @param known a statement that returns the total, if it does not have to be counted
   */
  page(list: ListQuery, within: readonly Sql[], known?: Sql): Sql {
    const where = sql.all([this.owned, ...within]);
    const count = known ?? sql`SELECT count(*) FROM ${this.table} record WHERE ${where}`;
    const exists = sql`(SELECT page_total FROM counted) > ${list.offset}`;
    const pageIds = this.isInParts(list, within)
      ? sql`SELECT record.id FROM (${this.parts(list, where, list.offset + list.per_page, sql`record.id`)}) record
            WHERE ${exists} LIMIT ${list.per_page} OFFSET ${list.offset}`
      : this.pageIds(list, this.table, sql`${where} AND ${exists}`);
    return sql`WITH counted AS MATERIALIZED (SELECT (${count}) AS page_total)
      SELECT counted.page_total, page.* FROM counted LEFT JOIN (${this.read(pageIds)}) page ON TRUE
      ORDER BY ${this.order(list, 'page')}`;
  }

  /** Finds the records of a page, without the total. @param within all conditions on `record` except `owned` */
  pageRows(list: ListQuery, within: readonly Sql[], approach: Approach): Sql {
    const ofOwner = sql`SELECT record.* FROM ${this.table} record WHERE ${this.owned}`;
    const from = (): Sql => {
      if (approach === 'as planned') return sql`(${ofOwner} AND (${sql.all(within)}))`;
      if (approach === 'filter first') return sql`(${ofOwner} AND (${sql.all(within)}) OFFSET 0)`;
      const parts = this.parts(list, this.owned, approach.walk, sql`record.*`);
      return sql`(SELECT record.* FROM (${parts}) record LIMIT ${approach.walk})`;
    };
    const remaining = typeof approach === 'object' ? sql.all(within) : sql`TRUE`;
    return sql`${this.read(this.pageIds(list, from(), remaining))} ORDER BY ${this.order(list, 'record')}`;
  }

  /**
   * Finds the IDs of the first `size` records of a list, or of those that follow the record `last`. They are one row,
   * because the driver takes a microsecond for each value; it has the last of these records, too. No rows if there are
   * no records.
   */
  idBatch(list: ListQuery, size: number, last?: LastListed): Sql {
    const remaining = last ? [this.after(list, last)] : [];
    const where = sql.all([this.owned, ...list.clauses(), ...remaining]);
    return sql`WITH found AS MATERIALIZED (
        SELECT record.id, ${list.computedSort ?? sql.ref(`record.${list.sort}`)} AS sort_value
        FROM ${this.table} record WHERE ${where} ORDER BY ${this.order(list, 'record')} LIMIT ${size})
      SELECT (SELECT json_agg(found.id) FROM found) AS ids, found.id, found.sort_value FROM found
      OFFSET (SELECT greatest(count(*) - 1, 0) FROM found) LIMIT 1`;
  }

  /** Finds those of the records with these IDs that the list has. Their filters are tested for these records only. */
  listed(list: ListQuery, ids: readonly number[]): Sql {
    return sql`SELECT ${this.columns}${this.extras} FROM (
        SELECT record.* FROM ${this.table} record
        WHERE ${this.owned} AND record.id = ANY(${[...ids]}::bigint[]) OFFSET 0) record
      WHERE ${sql.all([...list.clauses()])}`;
  }

  private read(pageIds: Sql): Sql {
    return sql`SELECT ${this.columns}${this.extras} FROM (${pageIds}) found
               JOIN ${this.table} record ON ${this.owned} AND record.id = found.id`;
  }

  /** Finds the IDs of one page. */
  private pageIds(list: ListQuery, records: Sql, where: Sql): Sql {
    return sql`SELECT record.id FROM ${records} record WHERE ${where}
               ORDER BY ${this.order(list, 'record')} LIMIT ${list.per_page} OFFSET ${list.offset}`;
  }

  /**
   * Whether a page is read in parts. Each part applies the filters again, so a search is not read in parts; nor are the
   * many parts of an enum if there is any filter.
   */
  private isInParts(list: ListQuery, filters: readonly Sql[]): boolean {
    if (list.search || this.partsOf(list).length < 2) return false;
    return filters.length === 0 || list.sortedValues === undefined;
  }

  /**
   * The first `limit` records that meet a condition on `record`, in the order of the list. PostgreSQL reads a part only if
   * those before it do not suffice.
   */
  private parts(list: ListQuery, where: Sql, limit: number, columns: Sql): Sql {
    const parts = this.partsOf(list).map(
      (part) => sql`(SELECT ${columns} FROM ${this.table} record WHERE ${sql.all([where, part.where])}
                     ORDER BY ${part.order} LIMIT ${limit})`,
    );
    return sql.join(parts, ' UNION ALL ');
  }

  /**
   * A list as a sequence of parts, each of which has the order of an index: one for each value of an enum, or one of the
   * records with a text and one of those without, because the nulls are the first in a descending index.
   */
  private partsOf(list: ListQuery): { readonly where: Sql; readonly order: Sql }[] {
    if (list.sort === undefined) return [{ where: sql`TRUE`, order: this.order(list, 'record') }];
    const isNullable = this.nulls(list) !== sql.empty;
    const column = sql.ref(`record.${list.sort}`);
    if (list.sortedValues && !isNullable) {
      const isAscending = list.direction === 'asc';
      const values = isAscending ? list.sortedValues : list.sortedValues.toReversed();
      const order = isAscending ? sql`record.id ASC` : sql`record.id DESC`;
      return values.map((value) => ({ where: sql`${column} = ${value}`, order }));
    }
    if (list.direction === 'desc' && isNullable && this.isText(list)) {
      const value = this.sortValue(list, column);
      return [
        { where: sql`${value} IS NOT NULL`, order: sql`${value} DESC, record.id DESC` },
        { where: sql`${value} IS NULL`, order: sql`record.id DESC` },
      ];
    }
    return [{ where: sql`TRUE`, order: this.order(list, 'record') }];
  }

  /** The condition on `record` that it follows the record `last` in the order of the list. */
  private after(list: ListQuery, last: LastListed): Sql {
    const value = this.sortValue(list, list.computedSort ?? sql.ref(`record.${list.sort}`));
    const comparison = list.direction === 'asc' ? sql`>` : sql`<`;
    const reached = last.sort_value;
    if (reached === null) return sql`${value} IS NULL AND record.id ${comparison} ${last.id}`;
    const reachedValue = this.isText(list) ? this.sortValue(list, sql`${reached}::text`) : sql`${reached}`;
    const beyondValue = sql`(${value}, record.id) ${comparison} (${reachedValue}, ${last.id})`;
    return this.nulls(list) === sql.empty ? beyondValue : sql`${beyondValue} OR ${value} IS NULL`;
  }

  /** The order of `record`, or of the rows of a page, in which a computed sort column has its name. */
  private order(list: ListQuery, row: 'record' | 'page'): Sql {
    if (list.sort === undefined) return orderOf(list.defaultOrder ?? [], row);
    const direction = list.direction === 'asc' ? sql`ASC` : sql`DESC`;
    const computed = row === 'record' ? list.computedSort : undefined;
    const value = this.sortValue(list, computed ?? sql.ref(`${row}.${list.sort}`));
    return sql`${value} ${direction}${this.nulls(list)}, ${sql.ref(`${row}.id`)} ${direction}`;
  }

  /**
   * What a list is sorted by: a text by the code points of its lower case, whatever the collation of the database is, one
   * of an enum by its position there, the rest by their value.
   */
  private sortValue(list: ListQuery, value: Sql): Sql {
    if (list.sortedValues) return sql`array_position(${[...list.sortedValues]}::text[], ${value})`;
    return this.isText(list) && !LOWER_CASE_COLUMNS.has(list.sort ?? '') ? sql`lower(${value}) COLLATE "C"` : value;
  }

  private isText(list: ListQuery): boolean {
    return this.metadata.columns.some((column) => column.databaseName === list.sort && column.type === 'text');
  }

  /**
   * Nulls come last in both directions. `NOT NULL` columns do without the clause, which would prevent the use of their
   * index.
   */
  private nulls(list: ListQuery): Sql {
    const column = this.metadata.columns.find((each) => each.databaseName === list.sort);
    if (!column && !list.computedSort) {
      throw new Error(`${this.metadata.tableName} cannot be sorted by ${list.sort}`);
    }
    return column?.isNullable === false ? sql.empty : sql` NULLS LAST`;
  }
}

/** @returns the order of a list without a `sort`, for rows with the alias `row` */
export const orderOf = (columns: DefaultOrder, row: string): Sql =>
  sql.join(
    columns.map(
      ([column, direction]) => sql`${sql.ref(`${row}.${column}`)} ${direction === 'asc' ? sql`ASC` : sql`DESC`}`,
    ),
  );
