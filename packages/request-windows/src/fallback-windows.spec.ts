import { FallbackWindows } from './fallback-windows.js';
import { LocalWindows } from './local-windows.js';
import type { WindowState, WindowStore } from './windows.js';

const one = (key: string): Map<string, number> => new Map([[key, 1]]);

/** Counts from 100, so that a test sees which store has counted. */
class SharedWindows implements WindowStore {
  readonly calls: ((end: 'success' | 'failure') => void)[] = [];
  private total = 100;

  add(requests: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, WindowState>> {
    return new Promise((resolve, reject) => {
      this.calls.push((end) => {
        this.total += 1;
        if (end === 'failure') reject(new Error('down'));
        else resolve(new Map([...requests.keys()].map((key) => [key, { requests: this.total, ends_in_ms: 1 }])));
      });
    });
  }

  async close(): Promise<void> {}
}

describe('FallbackWindows', () => {
  const failures: unknown[] = [];
  let shared: SharedWindows;
  let windows: FallbackWindows;
  beforeEach(() => {
    jest.useFakeTimers();
    failures.length = 0;
    shared = new SharedWindows();
    windows = new FallbackWindows(shared, (error) => failures.push(error), 20);
  });
  afterEach(() => jest.useRealTimers());

  const count = async (key = 'a'): Promise<number | undefined> => (await windows.add(one(key), 60)).get(key)?.requests;

  it('counts in the store while it responds', async () => {
    for (const expected of [101, 102]) {
      const counted = count();
      shared.calls.pop()?.('success');
      expect(await counted).toBe(expected);
    }
    expect(failures).toEqual([]);
  });

  it('counts in the process after a failure, without a call of the store for each request', async () => {
    const counted = count();
    shared.calls.pop()?.('failure');
    expect(await counted).toBe(1);
    expect([await count(), await count('b'), await count()]).toEqual([2, 1, 3]);
    expect(shared.calls).toEqual([]);
    expect(failures).toEqual([new Error('down')]);
  });

  it('counts in the process when the store does not respond in time, until its call has ended', async () => {
    const counted = count();
    await jest.advanceTimersByTimeAsync(20);
    expect(await counted).toBe(1);
    expect(String(failures[0])).toMatch(/did not respond within 20 ms/);
    expect(await count()).toBe(2);
    expect(shared.calls).toHaveLength(1);
  });
});

describe('LocalWindows', () => {
  it('removes the least recently used of more than 10,000 windows', async () => {
    const windows = new LocalWindows();
    await windows.add(one('first'), 60);
    await windows.add(new Map(Array.from({ length: 10_000 }, (_, n) => [`key ${n}`, 1])), 60);
    expect((await windows.add(one('first'), 60)).get('first')).toEqual({ requests: 1, ends_in_ms: expect.any(Number) });
    expect((await windows.add(one('key 9999'), 60)).get('key 9999')?.requests).toBe(2);
  });

  it('starts a new window when one has ended', async () => {
    const windows = new LocalWindows();
    expect((await windows.add(one('a'), 0)).get('a')?.requests).toBe(1);
    expect((await windows.add(one('a'), 0)).get('a')?.requests).toBe(1);
  });
});
