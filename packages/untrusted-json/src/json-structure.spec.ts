import fc from 'fast-check';
import { clean } from './clean.js';
import { TooManyValues } from './json-limits.js';
import { structureErrors } from './json-structure.js';

/** Makes a text long enough to be checked. */
const long = (text: string): Buffer => Buffer.from(`${text}${' '.repeat(20_000)}`);
const errorsIn = (text: string): unknown => structureErrors(long(text));

const objectWith = (keys: number): object =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key${index}`, index]));
const array = (length: number, item: unknown = 1): unknown[] => Array.from({ length }, () => item);

const cleanErrors = (value: object): unknown => {
  try {
    const { errors } = clean(value as Record<string, unknown>);
    return Object.keys(errors).length === 0 ? undefined : { ...errors };
  } catch (error) {
    return error instanceof TooManyValues ? error.errors : error;
  }
};

describe('structureErrors', () => {
  it.each([
    ['1,000 keys', { a: objectWith(1_000) }],
    ['1,001 keys', { a: [1, objectWith(1_001)] }],
    ['1,001 keys in all', objectWith(1_001)],
    ['20,000 values', { a: array(9_999), b: array(9_999) }],
    ['20,001 values', { a: array(9_999), 'b "c": [,': array(10_000) }],
    ['20,000 empty objects', { a: { b: array(19_998, {}) } }],
    ['20,001 empty objects', { a: { b: array(19_999, {}) } }],
    ['20,000 values in small arrays', { a: array(9_999, [1]), b: 1 }],
    ['20,000 empty arrays', { a: array(19_999, []) }],
  ])('finds the same error as after parsing: %s', (_, value) => {
    expect(errorsIn(JSON.stringify(value, undefined, 1))).toEqual(cleanErrors(value));
    expect(errorsIn(JSON.stringify(value))).toEqual(cleanErrors(value));
  });

  it('finds the first value in more than 20 levels, on its path', () => {
    const nested = (levels: number): string => `{"a\\u00e9":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(errorsIn(nested(19))).toBeUndefined();
    expect(errorsIn(nested(400_000))).toEqual({ [`aé${'.0'.repeat(19)}`]: ['The value is nested too deeply.'] });
  });

  it('says that an array with too many values is not an object', () => {
    expect(errorsIn('['.repeat(100_000))).toEqual({ body: ['The body must be a JSON object.'] });
    expect(errorsIn(JSON.stringify(array(20_001)))).toEqual({ body: ['The body must be a JSON object.'] });
  });

  it('ignores brackets and separators in strings', () => {
    const text = String.raw`{[,:"\"[`.repeat(30_000);
    expect(errorsIn(JSON.stringify({ a: text, [text]: 'é'.repeat(10), c: '\\' }))).toBeUndefined();
  });

  it('accepts what clean accepts, of any form', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 25 }), (value) => {
        const body = { value };
        if (cleanErrors(body) === undefined) expect(errorsIn(JSON.stringify(body))).toBeUndefined();
      }),
    );
  });

  it('accepts or refuses any text without failing', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'[]{},:"\\ a1') }), (text) => void errorsIn(text)));
    expect(structureErrors(Buffer.from('['.repeat(16_000)))).toBeUndefined();
  });
});
