import type { EntityMetadata } from 'typeorm';
import { type Sql, sql } from '../database/index.js';
import type { DefaultOrder, ListQuery } from './list-query.js';

/** Where a list continues: the ID of a record, and the value that it was sorted by. */
export interface LastListed {
  readonly id: number;
  readonly sort_value: unknown;
}

/** The records of a list that meet a condition, in an order that an index has. */
export interface ListPart {
  readonly where: Sql;
  readonly order: Sql;
}

/** One expression of an ORDER BY. */
interface Term {
  readonly value: Sql;
  readonly direction: 'asc' | 'desc';
  /** Whether the value may be null. Nulls come last in both directions. */
  readonly isNullable?: boolean;
}

/** A part of a list, before its order is written. */
interface ForwardPart {
  readonly where: Sql;
  readonly terms: readonly Term[];
  /** Whether the part has the records with this value of the sort column. */
  readonly has: (value: unknown) => boolean;
}

/** Columns whose values are stored in lower case: an index on them serves the order. */
const LOWER_CASE_COLUMNS: ReadonlySet<string> = new Set(['email', 'event', 'from_email', 'slug']);

/** The order of one list, as SQL on `record`. `isReversed` returns the opposite order. */
export class ListOrder {
  private readonly isText: boolean;
  /** Whether reading records along the index of the order reads their rows, in no order. */
  readonly readsRecords: boolean;
  private readonly isNullable: boolean;

  constructor(
    private readonly metadata: EntityMetadata,
    private readonly list: ListQuery,
  ) {
    const column = metadata.columns.find((each) => each.databaseName === list.sort);
    if (!column && !list.computedSort && list.sort !== undefined) {
      throw new Error(`${metadata.tableName} cannot be sorted by ${list.sort}`);
    }
    this.isText = column?.type === 'text';
    this.isNullable = column?.isNullable !== false;
    this.readsRecords = this.isText && list.sortedValues === undefined;
  }

  /**
   * The column that identifies a record in the workspace and is in the index of the order, so that PostgreSQL reads only
   * this index: the sorted column if it is unique, else the ID.
   */
  get key(): string {
    const { sort = 'id' } = this.list;
    const isStored = !this.isText || LOWER_CASE_COLUMNS.has(sort);
    const isUnique = this.metadata.uniques.some(({ columns }) => {
      const names = columns.map(({ databaseName }) => databaseName);
      return names.length === 2 && names.includes('workspace_id') && names.includes(sort);
    });
    return isUnique && isStored && !this.isNullable && !this.list.sortedValues ? sort : 'id';
  }

  /** The order of `record`, or of the rows of a page, in which a computed sort column has its name. */
  by(row: 'record' | 'page', isReversed = false): Sql {
    return sql.join(this.terms(row).map((term) => ordered(term, isReversed)));
  }

  /** The whole list as one part. */
  whole(isReversed = false): ListPart {
    return { where: sql`TRUE`, order: this.by('record', isReversed) };
  }

  /**
   * The list as a sequence of parts: one for each value of an enum, or one of the records with a text and one of those
   * without, because the nulls are the first in a descending index, and have no order in it.
   */
  parts(isReversed = false): ListPart[] {
    const parts = this.forwardParts();
    const found = parts.map(({ where, terms }) => ({
      where,
      order: sql.join(terms.map((term) => ordered(term, isReversed))),
    }));
    return isReversed ? found.toReversed() : found;
  }

  /** The condition on `record` that it follows the record `last`. */
  after(last: LastListed): Sql {
    const value = this.sortValue(this.sorted('record'));
    if (last.sort_value === null) return sql`${value} IS NULL AND ${this.beyondId(last)}`;
    return this.isNullable ? sql`${this.beyondValue(last)} OR ${value} IS NULL` : this.beyondValue(last);
  }

  /** The {@link parts} of the records that follow the record `last`. */
  partsAfter(last: LastListed): ListPart[] {
    const parts = this.forwardParts();
    const reached = parts.findIndex(({ has }) => has(last.sort_value));
    const isById = (terms: readonly Term[]): boolean => terms.length === 1 && this.key === 'id';
    const remaining = (terms: readonly Term[]): Sql => {
      if (isById(terms)) return this.beyondId(last);
      return parts.length === 1 ? this.after(last) : this.beyondValue(last);
    };
    return parts.slice(reached).map(({ where, terms }, index) => ({
      where: index > 0 ? where : sql.all([where, remaining(terms)]),
      order: sql.join(terms.map((term) => ordered(term, false))),
    }));
  }

  private beyondId({ id }: LastListed): Sql {
    return sql`record.id ${this.comparison} ${id}::bigint`;
  }

  /** A comparison of rows, so that an index finds the first one. */
  private beyondValue({ id, sort_value: reached }: LastListed): Sql {
    const value = this.sortValue(this.sorted('record'));
    const reachedValue = this.isText ? this.sortValue(sql`${reached}::text`) : sql`${reached}`;
    return sql`(${value}, record.id) ${this.comparison} (${reachedValue}, ${id}::bigint)`;
  }

  private get comparison(): Sql {
    return this.list.direction === 'asc' ? sql`>` : sql`<`;
  }

  private forwardParts(): ForwardPart[] {
    const { sort, sortedValues, direction } = this.list;
    const id: Term = { value: sql`record.id`, direction };
    if (sort !== undefined && sortedValues && !this.isNullable) {
      const values = direction === 'asc' ? sortedValues : sortedValues.toReversed();
      return values.map((value) => ({
        where: sql`${this.sorted('record')} = ${value}`,
        terms: [id],
        has: (reached) => reached === value,
      }));
    }
    if (sort !== undefined && this.isNullable && this.isText) {
      const value = this.sortValue(this.sorted('record'));
      return [
        { where: sql`${value} IS NOT NULL`, terms: [{ value, direction }, id], has: (reached) => reached !== null },
        { where: sql`${value} IS NULL`, terms: [id], has: (reached) => reached === null },
      ];
    }
    return [{ where: sql`TRUE`, terms: this.terms('record'), has: () => true }];
  }

  private terms(row: 'record' | 'page'): Term[] {
    const { sort, direction, defaultOrder = [], sortedValues } = this.list;
    if (sort === undefined)
      return defaultOrder.map(([column, each]) => ({ value: columnOf(row, column), direction: each }));
    const id: Term = { value: columnOf(row, 'id'), direction };
    if (sortedValues?.length === 1) return [id];
    const value: Term = { value: this.sortValue(this.sorted(row)), direction, isNullable: this.isNullable };
    return this.key === sort ? [value] : [value, id];
  }

  private sorted(row: 'record' | 'page'): Sql {
    const { computedSort, sort } = this.list;
    return (row === 'record' ? computedSort : undefined) ?? columnOf(row, sort ?? 'id');
  }

  /**
   * What a list is sorted by: a text by the code points of its lower case, whatever the collation of the database is, one
   * of an enum by its position there, the rest by their value.
   */
  private sortValue(value: Sql): Sql {
    const { sort = 'id', sortedValues } = this.list;
    if (sortedValues) return sql`array_position(${[...sortedValues]}::text[], ${value})`;
    return this.isText && !LOWER_CASE_COLUMNS.has(sort) ? sql`lower(${value}) COLLATE "C"` : value;
  }
}

/** `NOT NULL` columns do without the clause about nulls, which would prevent the use of their index. */
function ordered({ value, direction, isNullable = false }: Term, isReversed: boolean): Sql {
  const isAscending = (direction === 'asc') !== isReversed;
  const nulls = isNullable ? (isReversed ? sql` NULLS FIRST` : sql` NULLS LAST`) : sql.empty;
  return sql`${value} ${isAscending ? sql`ASC` : sql`DESC`}${nulls}`;
}

const columnOf = (row: string, column: string): Sql => sql.ref(`${row}.${column}`);

/** @returns the order of a list without a `sort`, for rows with the alias `row` */
export const orderOf = (columns: DefaultOrder, row: string): Sql =>
  sql.join(columns.map(([column, direction]) => ordered({ value: columnOf(row, column), direction }, false)));
