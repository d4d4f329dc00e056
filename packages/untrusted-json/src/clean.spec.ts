import { clean } from './clean.js';
import { TooManyValues } from './json-limits.js';

const objectWith = (keys: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key${index}`, index]));

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

const failure = (body: Record<string, unknown>): unknown => {
  try {
    return clean(body).errors;
  } catch (error) {
    return error instanceof TooManyValues ? error.errors : error;
  }
};

describe('clean', () => {
  it('trims strings at every level', () => {
    expect(clean({ a: ' x ', b: [{ c: '\ty' }], d: 1, e: null })).toEqual({
      value: { a: 'x', b: [{ c: 'y' }], d: 1, e: null },
      errors: {},
    });
  });

  it('returns an error for each text that PostgreSQL cannot store', () => {
    expect(Object.keys(clean({ a: 'x\0', b: ['ok', '\ud800'] }).errors)).toEqual(['a', 'b.1']);
  });

  it('removes keys that are reserved, with an error', () => {
    const { value, errors } = clean(JSON.parse('{"a":{"__proto__":{"x":1},"constructor":2,"b":3}}') as never);
    expect(value).toEqual({ a: { b: 3 } });
    expect(Object.keys(errors)).toEqual(['a.__proto__', 'a.constructor']);
  });

  it('accepts objects of 1,000 keys and refuses larger ones on their path', () => {
    expect(failure({ a: objectWith(1_000) })).toEqual({});
    expect(failure({ a: [objectWith(1_001)] })).toEqual({ 'a.0': ['An object can have at most 1,000 keys.'] });
    expect(failure(objectWith(100_000))).toEqual({ body: ['An object can have at most 1,000 keys.'] });
    expect(clean(objectWith(1_001)).value).toBeNull();
  });

  it('accepts bodies of 20,000 values and refuses larger ones on the path of the array', () => {
    const array = (length: number): number[] => Array.from({ length }, () => 1);
    expect(failure({ a: array(9_999), b: array(9_999) })).toEqual({});
    expect(failure({ a: array(9_999), b: array(10_000) })).toEqual({ b: ['A body can have at most 20,000 values.'] });
  });

  it('refuses deep nesting without overflowing the stack', () => {
    expect(failure({ a: nested(19) })).toEqual({});
    expect(failure({ a: nested(400_000) })).toEqual({ [`a${'.0'.repeat(19)}`]: ['The value is nested too deeply.'] });
  });
});
