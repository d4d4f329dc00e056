import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { containing, type Sql, sql, type SqlValue } from '../database/index.js';
import { IntegerQuery } from './query-values.js';

/** The columns, with their directions, that sort a list without a `sort`. */
export type DefaultOrder = readonly (readonly [column: string, direction: 'asc' | 'desc'])[];

/**
 * Where the next page of a list begins: after the record with this ID and this value of the sort column. Timestamps have
 * milliseconds in the database, so their ISO form is exact.
 */
export type ListPosition = readonly [value: string | number | boolean | null, id: number | string, ...rest: unknown[]];

/** The query parameters of every list endpoint, and the SQL that they become. */
export interface ListQuery {
  readonly page: number;
  readonly per_page: number;
  // Absent if the list is sorted by `defaultOrder`. A doc comment here would be that of the parameter in the API reference.
  readonly sort?: string | undefined;
  readonly direction: 'asc' | 'desc';
  readonly search?: string;
  readonly offset: number;
  /** Where a page with a cursor begins: null for the first one. Undefined if the list is read by page numbers. */
  readonly position: ListPosition | null | undefined;
  /** Whether the response has the number of all records. */
  readonly isCounted: boolean;
  /** SQL on `record` to sort by, if `sort` is not a column. */
  readonly computedSort?: Sql | undefined;
  /** The values of the enum `sort` that the list can have, in their order. */
  readonly sortedValues?: readonly string[] | undefined;
  readonly defaultOrder?: DefaultOrder | undefined;
  clauses(scope?: WithTime): Iterable<Sql>;
  knownTotal(scope: SqlValue): Sql | undefined;
}

/** The time of a workspace, in SQL. */
export interface WithTime {
  readonly now: Sql;
}

/** One page of records, and the number of all records that match. */
export class Page<T> {
  /**
   * @param total null if the query wants no count
   * @param next where the next page begins, null on the last one; only pages that {@link readsNext} is true for have it
   */
  constructor(
    readonly data: readonly T[],
    readonly total: number | null,
    readonly query: ListQuery,
    readonly next: ListPosition | null = null,
  ) {}

  /** @returns the same page with the result of `change` for each record */
  map<U>(change: (record: T) => U): Page<U> {
    return this.withRecords(this.data.map(change));
  }

  /** @returns the same page with other records */
  withRecords<U>(records: readonly U[]): Page<U> {
    return new Page(records, this.total, this.query, this.next);
  }
}

/** Whether a page is read with one record more than it has, which shows whether another page follows. */
export const readsNext = (list: Pick<ListQuery, 'position' | 'isCounted'>): boolean =>
  list.position !== undefined || !list.isCounted;

/** @returns the number of records to read for a page */
export const pageLimit = (list: ListQuery): number => list.per_page + (readsNext(list) ? 1 : 0);

/**
 * @param records those of the page and, if {@link readsNext}, one more
 * @param positionOf the position of a record, by the sort column and the ID if it is left out
 */
export function pageOfRecords<T extends object>(
  records: readonly T[],
  total: number,
  list: ListQuery,
  positionOf: (record: T) => ListPosition = (record) => positionIn(list, record),
): Page<T> {
  const last = records.length > list.per_page ? records[list.per_page - 1] : undefined;
  const next = last === undefined ? null : positionOf(last);
  return new Page(records.slice(0, list.per_page), list.isCounted ? total : null, list, next);
}

function positionIn({ sort = 'id' }: ListQuery, record: object): ListPosition {
  const { [sort]: value, id } = record as Readonly<Record<string, string | number | Date | null>>;
  return [value instanceof Date ? value.toISOString() : (value ?? null), Number(id)];
}

/** The number of all records of a list, which each row of a page has as a column. */
export interface PageTotal {
  readonly page_total: number;
}

/** @returns the page that the rows of `ListStatements.page` make */
export function pageOf<T extends { readonly id: number }>(rows: readonly (T & PageTotal)[], list: ListQuery): Page<T> {
  const records = rows.filter((row) => row.id !== null);
  return pageOfRecords<T>(records, rows[0]?.page_total ?? 0, list);
}

const MAX_SEARCH_TERMS = 6;

/** @returns the words of a search, at most six (API v1, "Limits") */
export const searchTerms = (search: string | undefined): string[] =>
  (search ?? '').split(/\s+/u).filter(Boolean).slice(0, MAX_SEARCH_TERMS);

/** @returns a condition for each word: one of the fields contains it, ignoring case */
export const searchClauses = (search: string | undefined, fields: readonly Sql[]): Sql[] =>
  searchTerms(search).map((term) => sql.any(fields.map((field) => sql`${field} ILIKE ${containing(term)}`)));

/** @returns a condition for each property that a query has: the column of its name has its value */
function* columnClauses(query: object, columns: readonly string[]): Iterable<Sql> {
  const values = query as Readonly<Record<string, unknown>>;
  for (const name of columns) if (values[name] !== undefined) yield sql`record.${sql.ref(name)} = ${values[name]}`;
}

/** What {@link ListQuery} declares. */
export interface ListOptions<Sort extends string> {
  readonly sort: readonly [Sort, ...Sort[]];
  readonly search?: readonly string[];
  readonly perPage?: number;
  readonly direction?: 'asc' | 'desc';
  readonly enums?: Readonly<Record<string, readonly string[]>>;
  readonly defaultOrder?: DefaultOrder;
  readonly filters?: readonly string[];
}

/**
 * Declares a list endpoint: the class validates the query string, is the source of its documentation, and yields its SQL.
 * `class ContactListQuery extends ListQuery({ sort: ['created_at', …], search: ['email'] }) { @IsOptional() … }`
 * @param options `sort`: the sortable columns, the default first. `search`: the columns that the search covers.
 *   `perPage`: the default page size (API v1, "Common list contract"). `enums`: the values of those of `sort` that are
 *   enums, in their order. `defaultOrder`: the order of a list without a `sort`. `filters`: the properties of the class that are
 *   compared with the column of their name, if the request has them
 */
export function ListQuery<const Sort extends string>(options: ListOptions<Sort>) {
  class DeclaredListQuery implements ListQuery {
    @IntegerQuery() @Max(Number.MAX_SAFE_INTEGER) @Min(1) @IsInt() page: number = 1;
    @IntegerQuery() @Max(100) @Min(1) @IsInt() per_page: number = options.perPage ?? 25;
    @IsOptional() @IsIn(options.sort) sort?: Sort | undefined = options.defaultOrder ? undefined : options.sort[0];
    @IsIn(['asc', 'desc']) direction: 'asc' | 'desc' = options.direction ?? 'desc';
    @IsOptional() @IsString() search?: string;

    /** Lists with cursors override it, see `CursorListQuery`. */
    get position(): ListPosition | null | undefined {
      return undefined;
    }

    get isCounted(): boolean {
      return true;
    }

    get offset(): number {
      return (this.page - 1) * this.per_page;
    }

    /** To sort by what is not a column, override it; the list must be read `withColumns` of that name. */
    get computedSort(): Sql | undefined {
      return undefined;
    }

    /** A filter has the name of its column: then its value is the only one. */
    get sortedValues(): readonly string[] | undefined {
      const values = this.sort && options.enums?.[this.sort];
      const filter = this.sort && (this as Readonly<Record<string, unknown>>)[this.sort];
      return typeof filter === 'string' && values ? values.filter((value) => value === filter) : values;
    }

    get defaultOrder(): DefaultOrder | undefined {
      return options.defaultOrder;
    }

    /**
     * The conditions on `record`. To add others, override it and `yield* super.clauses()` first.
     * @param _scope for conditions that compare with the current time; whoever only counts them leaves it out
     */
    *clauses(_scope?: WithTime): Iterable<Sql> {
      const fields = (options.search ?? []).map((column) => sql`record.${sql.ref(column)}`);
      yield* searchClauses(this.search, fields);
      yield* columnClauses(this, options.filters ?? []);
    }

    /** SQL for the number of all records that match, if it is known without counting. */
    knownTotal(_scope: SqlValue): Sql | undefined {
      return undefined;
    }
  }
  return DeclaredListQuery;
}
