import fc from 'fast-check';

/** The custom fields of the test workspaces. Two keys differ only in case, and one is a wildcard of LIKE. */
export const CUSTOM_FIELDS = {
  note: 'text',
  NOTE: 'text',
  _: 'text',
  score: 'number',
  'Size-2': 'number',
  vip: 'boolean',
  renewal: 'date',
} as const;
export type CustomKey = keyof typeof CUSTOM_FIELDS;

export const LIFECYCLE_STAGES = ['subscriber', 'lead', 'opportunity', 'customer', 'other'] as const;

/*
 * These characters are excluded because lower case is not the same in JavaScript and PostgreSQL: the lower case of İ is
 * two characters in JavaScript and one in PostgreSQL; ı is the lower case of I if the locale of the database is Turkish;
 * the lower case of Σ depends on its position in the word in JavaScript and ICU, but not in other collation providers.
 */
const UNDECIDED = /[İıΣσς]/;
/** What the names of a contact cannot contain. */
const REFUSED = /[^\P{Cc}\t\n\r]|[\p{Bidi_Control}\u2028\u2029]/u;

const WORDS = [
  ...['Ada', 'ada', 'ADA', 'Lovelace', 'lace', 'x', 'X', 'Z', '7', '42', 'Émile', 'ÉMILE', 'émile', 'e\u0301mile'],
  ...['Straße', 'STRASSE', 'strasse', 'ẞ', 'ß', 'Ñandú', 'Жанна', 'жанна', '名前', '山', '🎉', '👩‍🚀', '🎉🎉🎉'],
  ...['%', '_', '\\', '100%', 'a_b', 'aXb', 'a\\b', '\\\\', '%%', '\\%', "O'Neil", "'", '"', 'say "hi"', '""', '`'],
  ...['line\nbreak', '\n', 'tab\there', '\r\n', 'ﬁn', '{"a": "b"}', '": "', 'null', '.'],
];

const glyph = fc.constantFrom(...'aAbBzZ09éÉßñÑжЖ名🎉%_\\\'"- .,:@{}\n\t');

/** A random text: one or two words that other contacts have too, or random characters. */
export const someText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map((two) => two.join(' ')) },
  { weight: 2, arbitrary: fc.string({ unit: glyph, minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: glyph, minLength: 20, maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 9 })
      .filter((text) => !UNDECIDED.test(text) && !REFUSED.test(text)),
  },
);

const column = fc.oneof({ weight: 3, arbitrary: someText }, { weight: 1, arbitrary: fc.constant(null) });

const NUMBERS = [
  ...[0, -0, 1, -1, 7, 42, 100, -5, 0.1, 0.2, 0.1 + 0.2, 0.3, 1e21, -1e21, 1e-7, 5e-324, -5e-324, 2.5, 1e100],
  ...[Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 2 ** 53, 2 ** 53 + 2, 2 ** 63, Number.EPSILON],
];
export const someNumber = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
);

/** Days that several contacts have, and the first and the last valid day. */
const DAYS = [
  '2026-03-28',
  '2026-03-29',
  '2026-03-30',
  '1969-12-31',
  '1970-01-01',
  '2024-02-29',
  '0001-01-01',
  '9999-12-31',
];
const TIMES = [
  '00:00',
  '00:00:00',
  '00:00:00.001',
  '23:59:59.999',
  '23:59:59.9999',
  '12:30:15.5',
  '23:59:59',
  '01:59:59.123456789',
];
const OFFSETS = ['Z', 'Z', '+00:00', '-00:00', '+02:00', '-02:00', '+05:30', '+14:00', '-14:00'];

export const someDay = fc.constantFrom(...DAYS);
export const someInstant = fc
  .tuple(someDay, fc.constantFrom(...TIMES), fc.constantFrom(...OFFSETS))
  .map(([day, time, offset]) => `${day}T${time}${offset}`);
export const someDate = fc.oneof(someDay, someInstant);

const valueOf = (type: (typeof CUSTOM_FIELDS)[CustomKey]): fc.Arbitrary<string | number | boolean> => {
  switch (type) {
    case 'text':
      return fc.oneof({ weight: 5, arbitrary: someText }, { weight: 1, arbitrary: fc.constant('') });
    case 'number':
      return someNumber;
    case 'boolean':
      return fc.boolean();
    default:
      return someDate;
  }
};

const keys = Object.entries(CUSTOM_FIELDS).map(([key, type]) => [key, valueOf(type)]);

/** Values of a random subset of the custom fields. */
export const someCustomFields: fc.Arbitrary<Partial<Record<CustomKey, string | number | boolean>>> = fc.record(
  Object.fromEntries(keys) as Record<CustomKey, fc.Arbitrary<string | number | boolean>>,
  { requiredKeys: [] },
);

const mailbox = fc.constantFrom(
  'ada',
  'a_b',
  'a%b',
  "o'neil",
  'x',
  'émile'.normalize('NFD').replace(/\W/g, ''),
  '100%',
  'z+z',
);
const domain = fc.constantFrom('example.com', 'EXAMPLE.org', 'x.io', 'sub.example.com');

/** A random contact in a request body, without company, tags and lists. `nth` makes the email unique. */
export const someContact = (nth: number) =>
  fc.record({
    email: fc.tuple(mailbox, domain).map(([box, host]) => `${box}${nth}@${host}`),
    external_id: fc.option(fc.constantFrom('CRM-', 'crm-', 'a_b%').map((prefix) => `${prefix}${nth}`)),
    first_name: column,
    last_name: column,
    company: column,
    phone: fc.option(fc.constantFrom('+33 1 23', '+33 1 24', '0', '(555) 01%', '_')),
    job_title: column,
    linkedin_url: fc.option(fc.constantFrom('https://linkedin.com/in/ada', 'https://LinkedIn.com/in/ADA_2', 'in/x')),
    timezone: fc.option(fc.constantFrom('Europe/Paris', 'America/New_York', 'UTC')),
    lifecycle_stage: fc.constantFrom(...LIFECYCLE_STAGES),
    custom_fields: someCustomFields,
  });
export type SomeContact = ReturnType<typeof someContact> extends fc.Arbitrary<infer C> ? C : never;

/** Random contacts; the same for the same seed. */
export const contactsOf = (count: number, seed: number, from = 0): SomeContact[] =>
  fc.sample(fc.tuple(...Array.from({ length: count }, (_, index) => someContact(from + index))), {
    seed,
    numRuns: 1,
  })[0] ?? [];
