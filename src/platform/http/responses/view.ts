/** Key of the {@link NamedShape} that a schema stands for. The API reference refers to it by its name. */
export const NAMED = Symbol('named shape');

/** Key of the name of an enum that another module declares. The API reference refers to it, and has its values. */
export const NAMED_ENUM = Symbol('named enum');

/** A JSON Schema (2020-12), the dialect of OpenAPI 3.1. */
export interface Schema {
  readonly type?: string | readonly string[];
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
export interface View<Row> extends NamedShape {
  /** Of a view of an array: the view of its elements. */
  readonly items?: View<never>;
  /** Fields that change although the record does not, such as the time of a count. Its entity tag leaves them out. */
  readonly untagged?: readonly string[];
  toJson(row: Row): object;
}

/** Declares a view. Only what `toJson` lists is sent; the compiler checks that it returns every field of the shape. */
export function view<
  Shape extends Readonly<Record<string, Schema>>,
  Row,
  OptionalKey extends keyof Shape & string = never,
>(
  name: string,
  shape: Shape,
  toJson: (row: Row) => { [K in Exclude<keyof Shape, OptionalKey>]: unknown } & { [K in OptionalKey]?: unknown },
  optionalFields: readonly OptionalKey[] = [],
): View<Row> {
  return { name, shape, optionalFields, toJson };
}

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
