import { ParseCache } from './parse-cache.js';

interface Parsed {
  readonly source: string;
}

/** What the cache counts for an entry in addition to its own bytes. */
const OVERHEAD = 100;

describe('ParseCache', () => {
  let parsed: string[];
  const parse = (source: string): Parsed => {
    parsed.push(source);
    return { source };
  };
  const cacheOf = (entries: number, bytes = 100_000) =>
    new ParseCache<Parsed>({ entries, bytes }, parse, (source) => source.length);
  beforeEach(() => {
    parsed = [];
  });

  it('parses equal sources once, also when they are different string objects', () => {
    const cache = cacheOf(10);
    const first = cache.parse('ab');
    expect(cache.parse(['a', 'b'].join(''))).toBe(first);
    cache.parse('cd');
    expect(cache.parse('ab')).toBe(first);
    expect(parsed).toEqual(['ab', 'cd']);
    expect(cache.size).toEqual({ entries: 2, bytes: 4 + 2 * OVERHEAD });
  });

  it('removes the least recently used entry when the number of entries exceeds the capacity', () => {
    const cache = cacheOf(2);
    for (const source of ['a', 'b', 'a', 'c', 'a', 'c']) cache.parse(source);
    expect(parsed).toEqual(['a', 'b', 'c']);
    cache.parse('b');
    expect(parsed).toEqual(['a', 'b', 'c', 'b']);
    expect(cache.size.entries).toBe(2);
  });

  it('removes entries until their bytes are within the capacity', () => {
    const cache = cacheOf(1_000, 200);
    for (let length = 1; length <= 60; length += 1) {
      cache.parse('x'.repeat(length));
      expect(cache.size.bytes).toBeLessThanOrEqual(200);
    }
    expect(cache.size).toEqual({ entries: 1, bytes: 60 + OVERHEAD });
  });

  it('returns a value that exceeds the capacity without storing it or removing others', () => {
    const cache = cacheOf(10, 5 + OVERHEAD);
    cache.parse('small');
    expect([cache.parse('too large'), cache.parse('too large')]).toEqual([
      { source: 'too large' },
      { source: 'too large' },
    ]);
    cache.parse('small');
    expect(parsed).toEqual(['small', 'too large', 'too large']);
    expect(cache.size).toEqual({ entries: 1, bytes: 5 + OVERHEAD });
  });

  it('gives each owner a share, and removes the entries of the owner that used the cache least recently', () => {
    const cache = new ParseCache<Parsed>(
      { entries: 100, bytes: 5 * (OVERHEAD + 1), bytesPerOwner: 3 * (OVERHEAD + 1) },
      parse,
      (source) => source.length,
    );
    for (const source of ['a', 'b', 'c', 'd', 'd']) cache.parse(source, 1);
    expect(cache.size.entries).toBe(3);
    for (const source of ['e', 'f', 'g']) cache.parse(source, 2);
    expect(cache.size).toEqual({ entries: 5, bytes: 5 * (OVERHEAD + 1) });
    parsed = [];
    for (const source of ['e', 'f', 'g']) cache.parse(source, 2);
    for (const source of ['c', 'd']) cache.parse(source, 1);
    expect(parsed).toEqual([]);
    cache.parse('b', 1);
    expect(parsed).toEqual(['b']);
  });

  it('takes an entry of no bytes, such as an empty source', () => {
    const cache = cacheOf(10);
    expect(cache.parse('')).toBe(cache.parse(''));
  });

  it('stores nothing when parsing throws', () => {
    let attempts = 0;
    const cache = new ParseCache<Parsed>(
      { entries: 10, bytes: 1_000 },
      (source) => {
        attempts += 1;
        if (attempts === 1) throw new Error('no');
        return { source };
      },
      (source) => source.length,
    );
    expect(() => cache.parse('a')).toThrow('no');
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
    expect(cache.parse('a')).toEqual({ source: 'a' });
  });
});
