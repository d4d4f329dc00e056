import fc from 'fast-check';
import type { InputSchema } from './operations.js';

/** Returns the IDs of a kind of record: `/contacts/:id`. */
export type KnownIds = (resource: string) => {
  readonly own: readonly number[];
  /** IDs of another workspace. */
  readonly others: readonly number[];
};

const nested = (depth: number, leaf: unknown): unknown =>
  Array.from({ length: depth }).reduce<unknown>(
    (inner, _, index) => (index % 2 ? [inner] : { conditions: inner }),
    leaf,
  );

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\ufeff\u200b',
  '😀'.repeat(260),
  'ß'.repeat(255),
  'e\u0301'.repeat(300),
  'x'.repeat(70_000),
  "'; DROP TABLE contacts; --",
  '%_\\%',
  '$1 $$ ?',
  '../../../etc/passwd',
  '%00%2e%2e',
  'a\r\nBcc: x@example.com',
  '<script>alert(1)</script>',
  '{{ a }}{{ b',
  '{% raw %}',
  '{{ x | default: "',
  '__proto__',
  'constructor',
  '1e309',
  'NaN',
  '٣',
  '-0',
  '0x10',
  '9007199254740993',
  '99999999999999999999999999',
  '2026-02-30',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00',
  'Mars/Olympus',
  'a@b@c',
  '"a b"@example.com',
  `${'a'.repeat(250)}@example.com`,
  'http://[::1',
  'https://user:password@example.com/#x',
  'https://127.0.0.1:1/',
  'null',
  'true',
  '[]',
] as const;

const HOSTILE_NUMBERS = [
  0,
  -1,
  0.5,
  -0,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  1e308,
  5e-324,
] as const;

const objectOf = (entries: readonly (readonly [string, unknown])[]): object => Object.fromEntries(entries);

/** Values that no field expects, or that lie beyond the limits of most fields. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...HOSTILE_TEXTS) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...HOSTILE_NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], [{}]) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.nat(300).map((depth) => nested(depth, 'x')) },
  { weight: 1, arbitrary: fc.nat(1_100).map((length) => Array.from({ length }, (_, index) => index + 1)) },
  {
    weight: 1,
    arbitrary: fc
      .nat(1_100)
      .map((count) => objectOf(Array.from({ length: count }, (_, index) => [`k${index}`, index]))),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '__proto__',
        'constructor',
        'prototype',
        'toString',
        'then',
        'toJSON',
        'length',
        '$ref',
        '',
        'a.b',
        '0',
      )
      .map((key): unknown => JSON.parse(`{${JSON.stringify(key)}:{"id":1}}`)),
  },
);

/** A text for a query string, a path or a header. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom<string>(...HOSTILE_TEXTS.map((text) => text.slice(0, 2_000))),
  fc.constantFrom(...HOSTILE_NUMBERS.map(String)),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  email: ['Person+tag@EXAMPLE.com', ...Array.from({ length: 500 }, (_, index) => `person${index}@example.com`)],
  uri: ['https://127.0.0.1:44443/hook', 'https://127.0.0.1:44443/other?x=1'],
  date: ['2026-01-31', '2024-02-29'],
  'date-time': ['2099-12-31T23:59:59.000Z', '2099-01-01T00:00:00+02:00'],
  'idn-hostname': ['example.com', 'bücher.example'],
};

/** Values of fields whose schema does not say what the service expects. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  field: ['email', 'status', 'company_id', 'tag_id', 'created_at', 'custom_fields.mine', 'full_name'],
  value: ['active', '1', '2026-01-01', 'x'],
  smtp_host: ['127.0.0.1', 'localhost'],
  // A valid key is too long for an example, and one of the three alone is refused.
  dkim_domain: [null],
  dkim_selector: [null],
  dkim_private_key: [null],
  auto_enroll: [null],
  holidays: [['2026-12-25'], []],
  schedule: [null, { timezone: 'UTC', days: [1, 2], start: '09:00', end: '18:00' }],
  stop_at_bounce_rate: [0.1, null],
  stop_at_complaint_rate: [0.01, null],
  variants: [[]],
  required_variables: [[]],
  from: ['2026-01-01T00:00:00Z'],
  to: ['2036-01-01T00:00:00Z', 'someone@example.com'],
  body: ['<p>Hello {{ first_name | default: "there" }}</p>', '<a href="https://example.com">x</a>'],
  color: ['#00ff00'],
  timezone: ['Europe/Paris', 'UTC'],
  start: ['09:00'],
  end: ['18:00'],
  key: ['a_key', 'another-key', 'mine'],
  custom_fields: [{ mine: 'text' }, { a_number: 1.5, a_date: '2026-01-01' }, { mine: null }],
  variables: [['first_name'], []],
  conditions: [
    [{ field: 'email', operator: 'contains', value: 'x' }],
    [
      { field: 'custom_fields.mine', operator: 'is_empty' },
      { field: 'created_at', operator: 'greater_than', value: '2026-01-01', connector: 'or' },
    ],
  ],
};

/** Fields that only an operation changes. They are left out mostly: any value but the stored one is refused. */
const OF_OPERATIONS = new Set(['status', 'unsubscribed_at', 'is_default', 'disabled_reason', 'pause_reason', 'secret']);

/** The records of which a field has IDs. */
const REFERENCES: readonly (readonly [RegExp, string])[] = [
  [/^contact_ids?$/, '/contacts/:id'],
  [/^(lists(\[\])?|list_ids?)$/, '/lists/:id'],
  [/^(tags(\[\])?|tag_id)$/, '/tags/:id'],
  [/^company_id$/, '/companies/:id'],
  [/^segment_ids$/, '/segments/:id'],
  [/^template_id$/, '/templates/:id'],
  [/^email_account_ids$/, '/email-accounts/:id'],
  [/^step_id$/, '/campaigns/:id/steps/:step'],
];

/** Random values of the fields of one API. */
export class RandomValues {
  constructor(
    private readonly schemas: Readonly<Record<string, InputSchema>>,
    private readonly ids: KnownIds,
  ) {}

  /** Values that fit a schema; in half of the objects, one or more fields have a hostile value instead. */
  of(schema: InputSchema, name = ''): fc.Arbitrary<unknown> {
    if (!OF_OPERATIONS.has(name)) return this.fitting(schema, name);
    return fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: this.fitting(schema, name) },
    );
  }

  private fitting(schema: InputSchema, name: string): fc.Arbitrary<unknown> {
    const referred = schema.$ref && this.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (referred) return this.of(referred, name);
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => this.of(one, name)));
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.properties) return this.object(schema);
    const generated = this.ofType([schema.type ?? 'string'].flat()[0] ?? 'string', schema, name);
    const known = BY_NAME[name];
    if (!known) return generated;
    return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: generated });
  }

  private id(name: string): fc.Arbitrary<number> | undefined {
    const reference = REFERENCES.find(([pattern]) => pattern.test(name));
    if (!reference) return undefined;
    const { own, others } = this.ids(reference[1]);
    return fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...own) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
      { weight: 1, arbitrary: fc.constantFrom(1, 2, 2 ** 31, 2 ** 53 - 1) },
    );
  }

  private ofType(type: string, schema: InputSchema, name: string): fc.Arbitrary<unknown> {
    const { minimum = 0, maximum = 1_000 } = schema;
    switch (type) {
      case 'integer':
        return this.id(name) ?? fc.integer({ min: minimum, max: Math.max(minimum, maximum) });
      case 'number':
        return fc.double({ min: minimum, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(this.of(schema.items ?? {}, name), { minLength: schema.minItems ?? 0, maxLength: 4 });
      case 'object':
        return fc.dictionary(fc.constantFrom('mine', 'a', 'first_name'), fc.jsonValue({ maxDepth: 1 }));
      case 'null':
        return fc.constant(null);
      default:
        return this.text(schema);
    }
  }

  private text({ format = '', minLength = 0, maxLength = 1_000 }: InputSchema): fc.Arbitrary<string> {
    const known = FORMATS[format];
    if (known) return fc.constantFrom(...known);
    return fc.oneof(
      { weight: 30, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 20) }) },
      { weight: 1, arbitrary: fc.constantFrom('é'.repeat(maxLength), 'x'.repeat(maxLength + 1)) },
    );
  }

  private object({ properties = {}, required = [] }: InputSchema): fc.Arbitrary<object> {
    const names = Object.keys(properties);
    const fields = Object.fromEntries(names.map((name) => [name, this.of(properties[name] ?? {}, name)]));
    const fitting = fc.record(fields, { requiredKeys: [...required] });
    const name = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...(names.length > 0 ? names : ['name'])) },
      { weight: 1, arbitrary: fc.constantFrom('unknown', '__proto__', 'constructor', 'id', 'workspace_id', '') },
    );
    const replacements = fc.array(fc.tuple(name, hostileValue), { minLength: 1, maxLength: 3 });
    return fc.oneof(
      fitting,
      fc.tuple(fitting, replacements).map(([object, replaced]) => objectOf([...Object.entries(object), ...replaced])),
    );
  }
}
