import type { EntityMetadata } from 'typeorm';
import { type Sql, sql } from '../database/index.js';
import { type LastListed, type ListPart, ListOrder } from './list-order.js';
import { pageLimit, type ListPosition, type ListQuery } from './list-query.js';

/**
 * How a page is found. `filter first` finds all records that match, then sorts them. `walk` reads at most that many
 * records in the order of the list and tests each, so the page may be incomplete. `as planned` leaves it to PostgreSQL.
 */
export type Approach = 'filter first' | 'as planned' | { readonly walk: number };

/** From this position on, a page is read from the end of the list if that is nearer. */
const DEEP_OFFSET = 1_000;

/** Up to this many records that match filters are found first and then sorted, if their order has many parts. */
const MAX_SORTED = 20_000;

/** Up to this many records that a search finds are sorted: reading texts in their order may test most others before. */
const MAX_FOUND = 200_000;

/**
 * Farther from both ends of a list with filters, sorting all that match takes less than reading records in the order of a
 * text, because each is a read from another place, and the filters may refuse most of them.
 */
const MAX_WALK = 5_000;

/** One of the ways in which a statement finds the keys of a page, and when it is used. */
interface PageSource {
  readonly condition: Sql;
  readonly keys: Sql;
}

/** The records at some positions of a list. */
interface Range {
  /** The condition on `record` that all records of the list meet. */
  readonly where: Sql;
  readonly key: string;
  readonly limit: Sql;
  readonly offset: Sql;
}

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
   * Finds a page. Each row has the total as `page_total`; an empty page is one row with nothing else. The first page
   * without filters is a prepared statement, because its best plan does not depend on any value.
   * @param within all conditions on `record` except `owned`
   * @param known a statement that returns the total, if it does not have to be counted
   */
  page(list: ListQuery, within: readonly Sql[], known?: Sql): Sql {
    const where = sql.all([this.owned, ...within]);
    const count = list.isCounted
      ? (known ?? sql`SELECT count(*) FROM ${this.table} record WHERE ${where}`)
      : sql`NULL::bigint`;
    const order = new ListOrder(this.metadata, list);
    const statement = sql`WITH counted AS MATERIALIZED (SELECT (${count}) AS page_total)
      SELECT counted.page_total, page.* FROM counted
      LEFT JOIN (${this.read(this.pageKeys(list, order, where, within.length > 0), order.key)}) page ON TRUE
      ORDER BY ${order.by('page')}`;
    const isFirst = list.page === 1 && !list.position;
    const isPrepared = isFirst && within.length === 0 && (known !== undefined || !list.isCounted);
    return isPrepared ? statement.preparedWhileFew() : statement;
  }

  /**
   * Finds the records of a page, {@link pageLimit} that many, without the total. @param within all conditions on `record`
   * except `owned`
   */
  pageRows(list: ListQuery, conditions: readonly Sql[], approach: Approach): Sql {
    const order = new ListOrder(this.metadata, list);
    const within = [...conditions, ...followingOf(order, list)];
    const ofOwner = sql`SELECT record.* FROM ${this.table} record WHERE ${this.owned}`;
    const from = (): Sql => {
      if (approach === 'as planned') return sql`(${ofOwner} AND (${sql.all(within)}))`;
      if (approach === 'filter first') return sql`(${ofOwner} AND (${sql.all(within)}) OFFSET 0)`;
      const limit = sql`${approach.walk}`;
      const parts = this.parts(partsOf(order, list), this.owned, limit, sql`record.*`);
      return sql`(SELECT record.* FROM (${parts}) record LIMIT ${approach.walk})`;
    };
    const remaining = typeof approach === 'object' ? sql.all([this.owned, ...within]) : sql`TRUE`;
    const sorted = order.by('record');
    const ids = sql`SELECT record.id FROM ${from()} record WHERE ${remaining}
                    ORDER BY ${sorted} LIMIT ${pageLimit(list)} OFFSET ${list.offset}`;
    return sql`${this.read(ids)} ORDER BY ${sorted}`;
  }

  /**
   * Finds the IDs of the first `size` records of a list, or of those that follow the record `last`. They are one row,
   * because the driver takes a microsecond for each value; it has the last of these records, too. No rows if there are
   * no records.
   * @param within all conditions on `record` except `owned`
   */
  idBatch(list: ListQuery, within: readonly Sql[], size: number, last?: LastListed): Sql {
    const order = new ListOrder(this.metadata, list);
    const remaining = last ? [order.after(last)] : [];
    const where = sql.all([this.owned, ...within, ...remaining]);
    return sql`WITH found AS MATERIALIZED (
        SELECT record.id, ${list.computedSort ?? sql.ref(`record.${list.sort}`)} AS sort_value
        FROM ${this.table} record WHERE ${where} ORDER BY ${order.by('record')} LIMIT ${size})
      SELECT (SELECT json_agg(found.id) FROM found) AS ids, found.id, found.sort_value FROM found
      OFFSET (SELECT greatest(count(*) - 1, 0) FROM found) LIMIT 1`;
  }

  /**
   * Finds those of the records with these IDs that meet conditions on `record`, which are tested for these records only. The
   * owner stands outside, too: an engine of several nodes looks for it beside the conditions.
   */
  listed(within: readonly Sql[], ids: readonly number[]): Sql {
    return sql`SELECT ${this.columns}${this.extras} FROM (
        SELECT record.* FROM ${this.table} record
        WHERE ${this.owned} AND record.id = ANY(${[...ids]}::bigint[]) OFFSET 0) record
      WHERE ${sql.all([this.owned, ...within])}`;
  }

  /**
   * The keys are an array, because a join may read all records of a workspace that the statistics do not know, with their
   * extras, for each record of the page.
   */
  private read(pageKeys: Sql, key = 'id'): Sql {
    const column = sql.ref(key);
    return sql`SELECT ${this.columns}${this.extras} FROM ${this.table} record
               WHERE ${this.owned} AND record.${column} = ANY (ARRAY(SELECT found.${column} FROM (${pageKeys}) found))`;
  }

  /**
   * Finds the keys of the records of a page. If there are several ways, the statement decides between them when it runs,
   * by the total in the sub-select `counted`.
   */
  private pageKeys(list: ListQuery, order: ListOrder, where: Sql, isFiltered: boolean): Sql {
    const sources = [...this.sources(list, order, where, isFiltered)];
    return sql.join(
      sources.map(({ condition, keys }) => sql`(SELECT * FROM (${keys}) found WHERE ${condition})`),
      ' UNION ALL ',
    );
  }

  private *sources(list: ListQuery, order: ListOrder, where: Sql, isFiltered: boolean): Iterable<PageSource> {
    const { offset, search } = list;
    const size = pageLimit(list);
    const total = sql`(SELECT page_total FROM counted)`;
    const forward = { where, key: order.key, limit: number(size), offset: number(offset) };
    // Each part applies the filters again, so the results of a search are not read in parts.
    const parts = (isReversed: boolean): ListPart[] => {
      if (search) return [{ ...order.whole(isReversed), where: sql.all(followingOf(order, list)) }];
      return isReversed ? order.parts(true) : partsOf(order, list);
    };
    if (!list.isCounted) {
      yield { condition: sql`TRUE`, keys: this.range(parts(false), forward) };
      return;
    }
    const exists = sql`${total} > ${number(offset)}`;
    const isWalked = this.walkCondition(list, order, total, isFiltered);
    if (isWalked)
      yield {
        condition: sql`${exists} AND NOT (${isWalked})`,
        keys: this.sorted(order, forward, followingOf(order, list)),
      };
    const walks = sql.all([exists, ...(isWalked ? [isWalked] : [])]);
    if (search || offset < DEEP_OFFSET) {
      yield { condition: walks, keys: this.range(parts(false), forward) };
      return;
    }
    const reversed = {
      ...forward,
      limit: sql`greatest(least(${size}::bigint, ${total} - ${offset}), 0)`,
      offset: sql`greatest(${total} - ${offset + size}::bigint, 0)`,
    };
    const isNearStart = sql`${total} >= ${2 * offset}::bigint`;
    yield { condition: sql`${walks} AND ${isNearStart}`, keys: this.range(parts(false), forward) };
    yield { condition: sql`${walks} AND NOT (${isNearStart})`, keys: this.range(parts(true), reversed) };
  }

  /**
   * The condition on which the records are read in the order of the list until the page is complete; otherwise all are
   * found and then sorted. Undefined if PostgreSQL is to decide.
   */
  private walkCondition(list: ListQuery, order: ListOrder, total: Sql, isFiltered: boolean): Sql | undefined {
    const { search, offset, sortedValues } = list;
    if (search) return order.readsRecords ? sql`${total} > ${MAX_FOUND}` : undefined;
    if (sortedValues) return isFiltered && sortedValues.length > 1 ? sql`${total} > ${MAX_SORTED}` : undefined;
    if (!isFiltered || !order.readsRecords || offset <= MAX_WALK) return undefined;
    return sql`${total} - ${offset} <= ${MAX_WALK}`;
  }

  /** Finds all records, then sorts those that meet the conditions `following`. */
  private sorted(order: ListOrder, { where, key, limit, offset }: Range, following: readonly Sql[]): Sql {
    return sql`SELECT record.${sql.ref(key)} FROM (
        SELECT record.* FROM ${this.table} record WHERE ${where} OFFSET 0) record WHERE ${sql.all(following)}
      ORDER BY ${order.by('record')} LIMIT ${limit} OFFSET ${offset}`;
  }

  /** Finds the keys of the records from a position in a sequence of parts on. */
  private range(parts: readonly ListPart[], { where, key, limit, offset }: Range): Sql {
    const column = sql`record.${sql.ref(key)}`;
    const [part, ...others] = parts;
    if (part && others.length === 0) {
      return sql`SELECT ${column} FROM ${this.table} record WHERE ${sql.all([where, part.where])}
                 ORDER BY ${part.order} LIMIT ${limit} OFFSET ${offset}`;
    }
    const found = this.parts(parts, where, sql`${limit} + ${offset}`, column);
    return sql`SELECT ${column} FROM (${found}) record LIMIT ${limit} OFFSET ${offset}`;
  }

  /**
   * The first `limit` records that meet a condition on `record`, in the order of the parts. PostgreSQL reads a part only
   * if those before it do not suffice.
   */
  private parts(parts: readonly ListPart[], where: Sql, limit: Sql, columns: Sql): Sql {
    const found = parts.map(
      (part) => sql`(SELECT ${columns} FROM ${this.table} record WHERE ${sql.all([where, part.where])}
                     ORDER BY ${part.order} LIMIT ${limit})`,
    );
    return sql.join(found, ' UNION ALL ');
  }
}

/** The conditions on `record` that it follows the position of the list. */
const followingOf = (order: ListOrder, { position }: ListQuery): Sql[] =>
  position ? [order.after(lastOf(position))] : [];

/** The parts of the list from its position on. */
const partsOf = (order: ListOrder, { position }: ListQuery): ListPart[] =>
  position ? order.partsAfter(lastOf(position)) : order.parts();

const lastOf = ([value, id]: ListPosition): LastListed => ({ sort_value: value, id: Number(id) });

/** A number as text, so that PostgreSQL plans a prepared statement for it. Beyond every record, it is a parameter. */
const number = (value: number): Sql => (Number.isSafeInteger(value) ? sql.integer(value) : sql`${value}::bigint`);
