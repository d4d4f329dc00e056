/** A value that stands in SQL for something of ours, e.g. a scope for its workspace's ID. */
export abstract class SqlValue {
  abstract readonly sqlValue: unknown;
}

/** A piece of SQL together with its values. Pieces compose freely; values never become text. */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
    readonly isPrepared = false,
  ) {}

  /**
   * The same statement, planned once per connection. Only for one whose text never varies and whose best plan does not
   * depend on its values: a read by primary key, say.
   */
  prepared(): Sql {
    return new Sql(this.strings, this.values, true);
  }

  /** Whether `value` itself occurs among the values, at any depth. */
  mentions(value: unknown): boolean {
    return this.values.some((own) => own === value || (own instanceof Sql && own.mentions(value)));
  }

  /** The statement as the driver takes it. A value that occurs twice is sent once. */
  toQuery(): { text: string; values: unknown[] } {
    const values: unknown[] = [];
    const positions = new Map<unknown, number>();
    const text = this.render((value) => {
      const known = positions.get(value);
      if (known !== undefined) return `$${known}`;
      values.push(value instanceof SqlValue ? value.sqlValue : value);
      if (value instanceof SqlValue) positions.set(value, values.length);
      return `$${values.length}`;
    });
    return { text, values };
  }

  private render(placeholder: (value: unknown) => string): string {
    return this.strings.reduce((text, part, index) => {
      const value = this.values[index - 1];
      return text + (value instanceof Sql ? value.render(placeholder) : placeholder(value)) + part;
    });
  }
}

const NAME = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$/;

/** Writes SQL: ``sql`SELECT … WHERE id = ${id}` ``. An interpolated piece of SQL is inlined, all else becomes a parameter. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

/** A table or column name, optionally dotted. Throws unless it is a plain lower-case identifier. */
sql.ref = (name: string): Sql => {
  if (!NAME.test(name)) throw new Error(`Not an SQL name: ${name}`);
  return new Sql([name], []);
};

/** The pieces one after the other with `separator` (SQL text written in the code) between them. */
sql.join = (pieces: readonly Sql[], separator = ', '): Sql => {
  if (pieces.length === 0) return EMPTY;
  return new Sql(['', ...Array<string>(pieces.length - 1).fill(separator), ''], pieces);
};

/** All pieces must hold; each stands in parentheses, so that no `OR` inside can escape. No piece: true. */
sql.all = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0
    ? new Sql(['TRUE'], [])
    : sql.join(
        pieces.map((piece) => sql`(${piece})`),
        ' AND ',
      );

/** Some piece must hold. No piece: false. */
sql.any = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0
    ? new Sql(['FALSE'], [])
    : sql.join(
        pieces.map((piece) => sql`(${piece})`),
        ' OR ',
      );

const EMPTY = new Sql([''], []);
/** No SQL at all. */
sql.empty = EMPTY;

/** The pattern of a `LIKE` that finds `term` anywhere; `%`, `_` and `\` in it are ordinary characters. */
export const containing = (term: string): string => `%${escapeLike(term)}%`;

/** `term` with the special characters of `LIKE` escaped. */
export const escapeLike = (term: string): string => term.replace(/[\\%_]/g, '\\$&');
