/** Key of the {@link NamedShape} that a schema stands for. The API reference refers to it by its name. */
export const NAMED = Symbol('named shape');

/** Key of the name of an enum that another module declares. The API reference refers to it, and has its values. */
export const NAMED_ENUM = Symbol('named enum');

/** A JSON Schema (2020-12), the dialect of OpenAPI 3.1. */
export interface Schema {
  readonly type?: string | readonly string[];
  /** The schema of the elements of an array. */
  readonly items?: Schema;
  readonly [NAMED]?: NamedShape;
  readonly [NAMED_ENUM]?: string;
  readonly [keyword: string]: unknown;
}

/** The fields of an object, with the name of its schema in the API reference. */
export interface NamedShape {
  readonly name: string;
  /** The doc comment of a field is its description in the API reference. */
  readonly shape: Readonly<Record<string, Schema>>;
  /** Fields of the shape that some objects do not have. */
  readonly optionalFields: readonly string[];
  /** Whether other fields are refused. */
  readonly isClosed?: boolean;
}

/** The JSON of one kind of record: its documented shape, and the function that returns it. */
export interface View<Row, Shown extends object = object> extends NamedShape {
  /** Of a view of an array: the view of its elements. */
  readonly items?: View<never>;
  /** Fields that change although the record does not, such as the time of a count. Its entity tag leaves them out. */
  readonly untagged?: readonly string[];
  toJson(row: Row): Shown;
}

type Values = Readonly<Record<string, unknown>>;

/** Fields of any type, by name. */
type Fields<Name extends PropertyKey> = { readonly [Field in Name]: unknown };

/**
 * Declares a view. A field has the value that the row has under its name: an instant as text, a record as its own view shows
 * it. Nothing but the fields of the shape is sent.
 * @param computed returns the fields that the row does not have, or that differ from it; the compiler checks that the row has
 *   all others
 * @param optionalFields those that are sent only if `computed` returns them
 */
export function view<
  Shape extends Readonly<Record<string, Schema>>,
  Row extends Fields<Exclude<keyof Shape, keyof Computed | OptionalField>>,
  Computed extends Partial<Fields<keyof Shape>> = object,
  OptionalField extends keyof Shape & string = never,
>(
  name: string,
  shape: Shape,
  computed?: (row: Row) => Computed,
  optionalFields: readonly OptionalField[] = [],
): View<Row, Fields<keyof Shape>> {
  const optional = new Set<string>(optionalFields);
  const fields = Object.entries(shape).map(([field, schema]) => ({
    field,
    show: optional.has(field) ? undefined : shownAs(schema),
  }));
  // Views are shown for each record of each response: a loop takes a third of the time of Object.fromEntries.
  const toJson = (row: Row): Fields<keyof Shape> => {
    const own: Values = computed?.(row) ?? {};
    const json: Record<string, unknown> = {};
    for (const { field, show } of fields) {
      if (Object.hasOwn(own, field)) json[field] = own[field];
      else if (show) json[field] = show((row as Values)[field]);
    }
    return json as Fields<keyof Shape>;
  };
  return { name, shape, optionalFields, toJson };
}

type Show = (value: unknown) => unknown;

/** @returns what turns a value of the row into JSON; null and undefined stay what they are */
function shownAs(schema: Schema): Show {
  const show = presentShownAs(schema);
  return show ? (value) => (value === null || value === undefined ? value : show(value)) : (value) => value;
}

function presentShownAs({ format, items, [NAMED]: record }: Schema): Show | undefined {
  if (format === 'date-time') return (value) => timestamp(value as Date | string);
  if (isView(record)) return (value) => record.toJson(value as never);
  if (!items) return undefined;
  const show = shownAs(items);
  return (values) => (values as readonly unknown[]).map(show);
}

const isView = (record: NamedShape | undefined): record is View<never> => record !== undefined && 'toJson' in record;

/** The view of an array of records. */
export const arrayView = <Row>(items: View<Row>): View<readonly Row[]> => ({
  ...items,
  items,
  toJson: (rows) => rows.map((row) => items.toJson(row)),
});

/** Schemas of fields. */
export const is = {
  id: { type: 'integer', minimum: 1 },
  integer: { type: 'integer' },
  number: { type: 'number' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
  object: { type: 'object', additionalProperties: true },
  oneOf: (values: readonly string[]): Schema => ({ type: 'string', enum: values }),
  /** A value of the enum with this name, whose module is not imported. */
  enumOf: (name: string): Schema => ({ type: 'string', [NAMED_ENUM]: name }),
  arrayOf: (items: Schema): Schema => ({ type: 'array', items }),
  nullable: (schema: Schema): Schema => ({
    ...schema,
    type: [schema.type, 'null'].flat() as string[],
    ...(schema.enum ? { enum: [...(schema.enum as unknown[]), null] } : {}),
  }),
  view: (of: NamedShape): Schema => ({ type: 'object', [NAMED]: of }),
  shape: (name: string, shape: Readonly<Record<string, Schema>>, optionalFields: readonly string[] = []): Schema =>
    is.view({ name, shape, optionalFields }),
} as const satisfies Record<string, Schema | ((...args: never) => Schema)>;

/** Returns an instant in the API's format: UTC with milliseconds. Accepts the text in JSON that PostgreSQL built, too. */
export function timestamp(value: Date | string): string;
export function timestamp(value: Date | string | null): string | null;
export function timestamp(value: Date | string | null): string | null {
  return value === null ? null : new Date(value).toISOString();
}
