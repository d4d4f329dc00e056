import { LocalWindows } from './local-windows.js';
import { BatchedWindows } from './windows.js';

/** Records the keys of each call. */
class RecordedWindows extends LocalWindows {
  readonly calls: Record<string, number>[] = [];

  override add(requests: ReadonlyMap<string, number>, seconds: number): ReturnType<LocalWindows['add']> {
    this.calls.push(Object.fromEntries(requests));
    return super.add(requests, seconds);
  }
}

describe('BatchedWindows', () => {
  it('counts the keys of one tick in one call of the store, and numbers the requests of each key', async () => {
    const store = new RecordedWindows();
    const windows = new BatchedWindows(store, 60);
    const count = (...keys: string[]) => Promise.all(keys.map((key) => windows.count(key)));
    expect((await count('a', 'b', 'a')).map(({ requests }) => requests)).toEqual([1, 1, 2]);
    expect((await count('b', 'a')).map(({ requests }) => requests)).toEqual([2, 3]);
    expect(store.calls).toEqual([
      { a: 2, b: 1 },
      { b: 1, a: 1 },
    ]);
  });
});
