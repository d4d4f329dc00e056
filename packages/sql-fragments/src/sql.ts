/**
 * An object that can be interpolated into SQL, where it becomes a parameter: a tenant becomes its ID, for example.
 */
export abstract class SqlValue {
  abstract readonly sqlValue: unknown;
}

/** What a statement on several nodes gets as parameters, because it cannot read it there. */
export interface OnNodes {
  /** The time of its transaction. */
  readonly at: Date;
  /** The advisory locks with two keys that sessions of the database had a moment ago: the keys of each. */
  readonly locks: readonly (readonly [number, number])[];
  /** When {@link locks} were read: what was locked later is not among them. */
  readonly locksReadAt: Date;
}

/** A parameter of a statement on several nodes: see {@link Sql.toQuery}. */
export class NodesValue extends SqlValue {
  readonly sqlValue = undefined;

  constructor(readonly valueOn: (nodes: OnNodes) => unknown) {
    super();
  }
}

interface RenderedSql {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Whether the driver prepares a statement: see `Sql.prepared` and `Sql.preparedWhileFew`. */
export type Preparation = 'always' | 'while few';

/** An SQL fragment with its values. Fragments can be interpolated into each other; values never become text. */
export class Sql {
  #rendered: RenderedSql | undefined;
  #distributed: RenderedSql | undefined;

  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
    readonly preparation?: Preparation,
  ) {}

  /**
   * @returns the same statement as a prepared statement. Use it only if the text does not vary and the best plan does
   *   not depend on the values, as in a read by primary key.
   */
  prepared(): Sql {
    return new Sql(this.strings, this.values, 'always');
  }

  /**
   * Like {@link prepared}, for a text of which requests make many variants, such as an `INSERT` of the columns that a
   * request names: a process prepares the first hundred of all such texts, because each session of PostgreSQL stores them.
   */
  preparedWhileFew(): Sql {
    return new Sql(this.strings, this.values, 'while few');
  }

  /** Whether `value` itself is one of the values, at any depth. */
  mentions(value: unknown): boolean {
    return this.values.some((own) => own === value || (own instanceof Sql && own.mentions(value)));
  }

  /**
   * The text and the values that the driver sends. An `SqlValue` that occurs twice is one parameter.
   * @param nodes for a database that is distributed over several nodes
   * @throws TypeError if a value is a function, which the driver would send as `NULL`
   */
  toQuery(nodes?: OnNodes): { text: string; values: unknown[] } {
    if (nodes) return this.queryOn(nodes);
    const { text, parameters } = this.rendered();
    return { text, values: parameters.map((value) => (value instanceof SqlValue ? value.sqlValue : value)) };
  }

  private queryOn(nodes: OnNodes): { text: string; values: unknown[] } {
    this.#distributed ??= this.renderOnce(true);
    const { text, parameters } = this.#distributed;
    const valueOf = (value: unknown): unknown => {
      if (value instanceof NodesValue) return value.valueOn(nodes);
      return value instanceof SqlValue ? value.sqlValue : value;
    };
    return { text, values: parameters.map(valueOf) };
  }

  /** The numbers of the parameters (`$1` is 1) whose value meets a condition, as {@link toQuery} numbers them. */
  positionsOf(isWanted: (value: unknown) => boolean): number[] {
    return this.rendered().parameters.flatMap((value, index) => (isWanted(value) ? [index + 1] : []));
  }

  private rendered(): RenderedSql {
    this.#rendered ??= this.renderOnce(false);
    return this.#rendered;
  }

  private renderOnce(isDistributed: boolean): RenderedSql {
    const parameters: unknown[] = [];
    const positions = new Map<unknown, number>();
    const text = this.render((value) => {
      const known = positions.get(value);
      if (known !== undefined) return `$${known}`;
      if (typeof value === 'function') throw new TypeError(`A function is no value of SQL: ${value.name}`);
      parameters.push(value);
      if (value instanceof SqlValue) positions.set(value, parameters.length);
      return `$${parameters.length}`;
    }, isDistributed);
    return { text, parameters };
  }

  render(placeholder: (value: unknown) => string, isDistributed: boolean): string {
    return this.strings.reduce((text, part, index) => {
      const value = this.values[index - 1];
      return text + (value instanceof Sql ? value.render(placeholder, isDistributed) : placeholder(value)) + part;
    });
  }
}

/** A fragment that has another text in a database that is distributed over several nodes. */
class EngineSql extends Sql {
  constructor(
    one: Sql,
    readonly distributed: Sql,
  ) {
    super(one.strings, one.values);
  }

  override render(placeholder: (value: unknown) => string, isDistributed: boolean): string {
    return isDistributed ? this.distributed.render(placeholder, true) : super.render(placeholder, false);
  }
}

const NAME = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$/;

/**
 * Writes SQL: ``sql`SELECT … WHERE id = ${id}` ``. An interpolated fragment is inlined; any other value becomes a
 * parameter.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

/**
 * A table or column name, optionally dotted.
 * @throws Error unless each part is a lower-case identifier without quotes
 */
sql.ref = (name: string): Sql => {
  if (!NAME.test(name)) throw new Error(`Not an SQL name: ${name}`);
  return new Sql([name], []);
};

/**
 * An integer as text, so that PostgreSQL plans a prepared statement for it.
 * @throws Error unless it is a safe integer that is not negative
 */
sql.integer = (value: number): Sql => {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`Not an integer: ${value}`);
  return new Sql([String(value)], []);
};

/** Joins fragments. `separator` is SQL text that is written in the code, never input. */
sql.join = (fragments: readonly Sql[], separator = ', '): Sql => {
  if (fragments.length === 0) return EMPTY;
  return new Sql(['', ...Array<string>(fragments.length - 1).fill(separator), ''], fragments);
};

/** A sub-select of IDs that are known, so that its reader needs no statement to find them. */
export class KnownIds extends Sql {
  constructor(readonly ids: readonly number[]) {
    super(['SELECT unnest(', '::bigint[])'], [[...ids]]);
  }
}

/** Joins conditions with `AND`, each in parentheses, so that an `OR` inside stays inside. `TRUE` if there are none. */
sql.all = (fragments: readonly Sql[]): Sql =>
  fragments.length === 0
    ? new Sql(['TRUE'], [])
    : sql.join(
        fragments.map((fragment) => sql`(${fragment})`),
        ' AND ',
      );

/** Joins conditions with `OR`, each in parentheses. `FALSE` if there are none. */
sql.any = (fragments: readonly Sql[]): Sql =>
  fragments.length === 0
    ? new Sql(['FALSE'], [])
    : sql.join(
        fragments.map((fragment) => sql`(${fragment})`),
        ' OR ',
      );

const EMPTY = new Sql([''], []);
/** The empty text. */
sql.empty = EMPTY;

/**
 * What PostgreSQL plans or computes better on one server, and what an engine that distributes it can run.
 * @param one the fragment on one server
 * @param distributed its equivalent on several nodes
 */
sql.byEngine = (one: Sql, distributed: Sql): Sql => new EngineSql(one, distributed);

/**
 * A condition on a column whose values a sub-select returns. An engine of several nodes reads the sub-select first, which it
 * cannot in all statements with `IN`.
 */
sql.among = (column: Sql, ids: Sql): Sql =>
  sql.byEngine(sql`${column} IN (${ids})`, sql`${column} = ANY(ARRAY(${ids}))`);

/**
 * A random `float8` from 0 to 1: one for each row, or on several nodes, which refuse it in a write, one for the statement.
 */
sql.random = sql.byEngine(new Sql(['random()'], []), sql`${new NodesValue(() => Math.random())}::float8`);

/**
 * A `timestamptz` that is later by an interval of hours or less. PostgreSQL's sum depends on the time zone of the session, so an
 * engine of several nodes refuses it in parts of a write, but not the sum in UTC.
 */
sql.later = (instant: Sql, interval: Sql): Sql =>
  sql.byEngine(sql`${instant} + ${interval}`, sql`((${instant} AT TIME ZONE 'UTC' + ${interval}) AT TIME ZONE 'UTC')`);

/**
 * PostgreSQL's `now()`: the real time. The name tells it from the time of what has a clock of its own. It is a parameter on
 * several nodes, which accept it in `CASE`, `RETURNING` and `DO UPDATE` only if it does not change.
 */
sql.realNow = sql.byEngine(new Sql(['now()'], []), sql`${new NodesValue(({ at }) => at)}::timestamptz`);

/** @returns the `LIKE` pattern of texts that contain `term`, in which `%`, `_` and `\` are ordinary characters */
export const containing = (term: string): string => `%${escapeLike(term)}%`;

/** @returns `term` with the special characters of `LIKE` escaped */
export const escapeLike = (term: string): string => term.replace(/[\\%_]/g, '\\$&');
