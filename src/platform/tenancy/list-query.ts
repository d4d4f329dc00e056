import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { containing, type Sql, sql, type SqlValue } from '../database/index.js';
import { IntegerQuery } from './query-values.js';

/** The columns, with their directions, that sort a list without a `sort`. */
export type DefaultOrder = readonly (readonly [column: string, direction: 'asc' | 'desc'])[];

/** The query parameters of every list endpoint, and the SQL that they become. */
export interface ListQuery {
  readonly page: number;
  readonly per_page: number;
  /** Absent if the list is sorted by `defaultOrder`. */
  readonly sort?: string | undefined;
  readonly direction: 'asc' | 'desc';
  readonly search?: string;
  readonly offset: number;
  /** SQL on `record` to sort by, if `sort` is not a column. */
  readonly computedSort?: Sql | undefined;
  /** The values of the enum `sort` that the list can have, in their order. */
  readonly sortedValues?: readonly string[] | undefined;
  readonly defaultOrder?: DefaultOrder | undefined;
  clauses(): Iterable<Sql>;
  total(scope: SqlValue): Sql | undefined;
}

/** One page of records, and the number of all records that match. */
export class Page<T> {
  constructor(
    readonly data: readonly T[],
    readonly total: number,
    readonly query: ListQuery,
  ) {}

  /** @returns the same page with the result of `change` for each record */
  map<U>(change: (record: T) => U): Page<U> {
    return new Page(this.data.map(change), this.total, this.query);
  }
}

/** The number of all records of a list, which each row of a page has as a column. */
export interface PageTotal {
  readonly page_total: number;
}

/** @returns the page that the rows of `ListStatements.page` make */
export function pageOf<T extends { readonly id: number }>(rows: readonly (T & PageTotal)[], list: ListQuery): Page<T> {
  const records = rows.filter((row) => row.id !== null);
  return new Page<T>(records, rows[0]?.page_total ?? 0, list);
}

const MAX_SEARCH_TERMS = 6;

/** @returns the words of a search, at most six (API v1, "Limits") */
export const searchTerms = (search: string | undefined): string[] =>
  (search ?? '').split(/\s+/u).filter(Boolean).slice(0, MAX_SEARCH_TERMS);

/** @returns a condition for each word: one of the fields contains it, ignoring case */
export const searchClauses = (search: string | undefined, fields: readonly Sql[]): Sql[] =>
  searchTerms(search).map((term) => sql.any(fields.map((field) => sql`${field} ILIKE ${containing(term)}`)));

/**
 * Declares a list endpoint: the class validates the query string, is the source of its documentation, and yields its SQL.
 * `class ContactListQuery extends ListQuery({ sort: ['created_at', …], search: ['email'] }) { @IsOptional() … }`
 * @param options `sort`: the sortable columns, the default first. `search`: the columns that the search covers.
 *   `perPage`: the default page size (API v1, "Common list contract"). `enums`: the values of those of `sort` that are
 *   enums, in their order. `defaultOrder`: the order of a list without a `sort`
 */
export function ListQuery<const Sort extends string>(options: {
  readonly sort: readonly [Sort, ...Sort[]];
  readonly search?: readonly string[];
  readonly perPage?: number;
  readonly direction?: 'asc' | 'desc';
  readonly enums?: Readonly<Record<string, readonly string[]>>;
  readonly defaultOrder?: DefaultOrder;
}) {
  class DeclaredListQuery implements ListQuery {
    @IntegerQuery() @IsInt() @Min(1) @Max(Number.MAX_SAFE_INTEGER) page: number = 1;
    @IntegerQuery() @IsInt() @Min(1) @Max(100) per_page: number = options.perPage ?? 25;
    @IsOptional() @IsIn(options.sort) sort?: Sort | undefined = options.defaultOrder ? undefined : options.sort[0];
    @IsIn(['asc', 'desc']) direction: 'asc' | 'desc' = options.direction ?? 'desc';
    @IsOptional() @IsString() search?: string;

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

    /** The conditions on `record`. To add filters, override it and `yield* super.clauses()` first. */
    *clauses(): Iterable<Sql> {
      const fields = (options.search ?? []).map((column) => sql`record.${sql.ref(column)}`);
      yield* searchClauses(this.search, fields);
    }

    /** SQL for the number of all records that match, if it is known without counting. */
    total(_scope: SqlValue): Sql | undefined {
      return undefined;
    }
  }
  return DeclaredListQuery;
}
