import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { containing, type Sql, sql, type SqlValue } from '../database/index.js';
import { IntegerQuery } from './query-values.js';
import type { EntityClass, WorkspaceEntity } from './workspace-entity.js';

/** A record that a query refers to by ID; it must be the workspace's. */
export interface Reference {
  readonly field: string;
  readonly entity: EntityClass<WorkspaceEntity>;
  readonly id: number;
}

/** The columns, with their directions, that a list is ordered by where no `sort` is given. */
export type DefaultOrder = readonly (readonly [column: string, direction: 'asc' | 'desc'])[];

/** What every list endpoint accepts, and the SQL that follows from it. */
export interface ListQuery {
  readonly page: number;
  readonly per_page: number;
  /** Absent where the list then has an order of its own, see `unsorted`. */
  readonly sort?: string | undefined;
  readonly direction: 'asc' | 'desc';
  readonly search?: string;
  readonly offset: number;
  /** What to sort by where `sort` names no column: SQL on `record`. */
  readonly computedSort?: Sql | undefined;
  readonly defaultOrder?: DefaultOrder | undefined;
  clauses(): Iterable<Sql>;
  references(): Iterable<Reference>;
  total(scope: SqlValue): Sql | undefined;
}

/** One page of records, with the number of all that match. */
export class Page<T> {
  constructor(
    readonly data: readonly T[],
    readonly total: number,
    readonly query: ListQuery,
  ) {}

  /** The same page with each record turned into something else. */
  map<U>(change: (record: T) => U): Page<U> {
    return new Page(this.data.map(change), this.total, this.query);
  }
}

/** What the rows of a page's statement say of the whole list. */
export interface PageTotal {
  readonly page_total: number;
}

/** The page that the rows of `ListStatements.page` are. */
export function pageOf<T extends { readonly id: number }>(rows: readonly (T & PageTotal)[], list: ListQuery): Page<T> {
  const records = rows.filter((row) => row.id !== null);
  return new Page<T>(records, rows[0]?.page_total ?? 0, list);
}

const MAX_SEARCH_TERMS = 6;

/** The terms of a search: split at white space, at most six are used (API v1, "Limits"). */
export const searchTerms = (search: string | undefined): string[] =>
  (search ?? '').split(/\s+/u).filter(Boolean).slice(0, MAX_SEARCH_TERMS);

/** A clause for each term: it must be a case-insensitive substring of one of the fields. */
export const searchClauses = (search: string | undefined, fields: readonly Sql[]): Sql[] =>
  searchTerms(search).map((term) => sql.any(fields.map((field) => sql`${field} ILIKE ${containing(term)}`)));

/**
 * Declares a list endpoint once: the class validates the query string, documents itself and yields SQL.
 * `class ContactListQuery extends ListQuery({ sort: ['created_at', …], search: ['email'] }) { @IsOptional() … }`
 * @param options `sort` names the sortable columns, the default first; `search` the columns that a term may match;
 *   `perPage` is the default page size (API v1, "Common list contract"); `computed` holds the SQL on `record` of those
 *   sortable names that are no columns, which the list must also be read `with`, under the same names; `unsorted` is
 *   the order of a list that has none by default
 */
export function ListQuery<const Sort extends string>(options: {
  readonly sort: readonly [Sort, ...Sort[]];
  readonly search?: readonly string[];
  readonly perPage?: number;
  readonly direction?: 'asc' | 'desc';
  readonly computed?: Readonly<Record<string, Sql>>;
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

    get computedSort(): Sql | undefined {
      return this.sort && options.computed?.[this.sort];
    }

    get defaultOrder(): DefaultOrder | undefined {
      return options.defaultOrder;
    }

    /** The conditions on `record`. Add filters by overriding: `yield* super.clauses()` first. */
    *clauses(): Iterable<Sql> {
      const fields = (options.search ?? []).map((column) => sql`record.${sql.ref(column)}`);
      yield* searchClauses(this.search, fields);
    }

    /** The records that the filters refer to, checked before the list is read. */
    *references(): Iterable<Reference> {}

    /** The number of all that match, where the clauses let it be told without counting them. */
    total(_scope: SqlValue): Sql | undefined {
      return undefined;
    }
  }
  return DeclaredListQuery;
}
