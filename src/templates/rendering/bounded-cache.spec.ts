import { BoundedCache } from './bounded-cache.js';

interface Made {
  readonly of: string;
}

describe('a bounded cache', () => {
  let made: string[];
  const make = (key: string): Made => {
    made.push(key);
    return { of: key };
  };
  const cacheOf = (entries: number, bytes = 1_000) => new BoundedCache<Made>({ entries, bytes }, (key) => key.length);
  beforeEach(() => {
    made = [];
  });

  it('makes a value once, whichever text of the same letters asks for it', () => {
    const cache = cacheOf(10);
    const first = cache.get('ab', make);
    expect(cache.get(['a', 'b'].join(''), make)).toBe(first);
    cache.get('cd', make);
    expect(cache.get('ab', make)).toBe(first);
    expect(made).toEqual(['ab', 'cd']);
    expect(cache.usage).toEqual({ entries: 2, bytes: 4 });
  });

  it('lets the least recently used go when there are too many', () => {
    const cache = cacheOf(2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'c']) cache.get(key, make);
    expect(made).toEqual(['a', 'b', 'c']);
    cache.get('b', make);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
    expect(cache.usage.entries).toBe(2);
  });

  it('stays within its bytes, and gives back those of what it lets go', () => {
    const cache = cacheOf(1_000, 100);
    for (let length = 1; length <= 60; length += 1) {
      cache.get('x'.repeat(length), make);
      expect(cache.usage.bytes).toBeLessThanOrEqual(100);
    }
    expect(cache.usage).toEqual({ entries: 1, bytes: 60 });
  });

  it('does not hold, nor give way to, what is larger than itself', () => {
    const cache = cacheOf(10, 5);
    cache.get('small', make);
    expect([cache.get('too large', make), cache.get('too large', make)]).toEqual([
      { of: 'too large' },
      { of: 'too large' },
    ]);
    cache.get('small', make);
    expect(made).toEqual(['small', 'too large', 'too large']);
    expect(cache.usage).toEqual({ entries: 1, bytes: 5 });
  });

  it('holds nothing of what could not be made', () => {
    const cache = cacheOf(10);
    const fail = (): Made => {
      throw new Error('no');
    };
    expect(() => cache.get('a', fail)).toThrow('no');
    expect(cache.usage).toEqual({ entries: 0, bytes: 0 });
    expect(cache.get('a', make)).toEqual({ of: 'a' });
  });
});
