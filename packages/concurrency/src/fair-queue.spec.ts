import fc from 'fast-check';
import { FairQueue } from './index.js';

class Busy extends Error {}

/** Tasks that end when the test says so. */
class ControlledTasks {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();

  of = (name: string) => (): Promise<void> => {
    this.started.push(name);
    return new Promise((resolve) => this.ends.set(name, resolve));
  };

  /** Ends a task, and waits until those have started that it lets start. */
  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await settle();
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Adds tasks named `<key>1`, `<key>2`, … */
const add = (queue: FairQueue<string>, tasks: ControlledTasks, key: string, count: number): Promise<unknown>[] =>
  Array.from({ length: count }, (_, index) => queue.run(key, tasks.of(`${key}${index + 1}`)));

describe('FairQueue', () => {
  it('gives one key alone three quarters of the places, and a new key one of the rest at once', async () => {
    const queue = new FairQueue<string>({ concurrency: 20 });
    const tasks = new ControlledTasks();
    void add(queue, tasks, 'a', 100);
    await settle();
    expect(tasks.started).toHaveLength(15);
    void add(queue, tasks, 'b', 1);
    await settle();
    expect(tasks.started.at(-1)).toBe('b1');
  });

  it('gives one key alone all places if there are two', async () => {
    const queue = new FairQueue<string>({ concurrency: 2 });
    const tasks = new ControlledTasks();
    void add(queue, tasks, 'a', 3);
    await settle();
    expect(tasks.started).toEqual(['a1', 'a2']);
  });

  it('takes turns between the keys that wait, and keeps the order of each', async () => {
    const queue = new FairQueue<string>({ concurrency: 1 });
    const tasks = new ControlledTasks();
    for (const [key, count] of [
      ['a', 4],
      ['b', 2],
      ['c', 1],
    ] as const)
      void add(queue, tasks, key, count);
    await settle();
    const expected = ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'];
    for (const name of expected) await tasks.end(name);
    expect(tasks.started).toEqual(expected);
  });

  it('runs at most as many tasks of a key as the limit says', async () => {
    const queue = new FairQueue<string>({ concurrency: 20, perKey: 2 });
    const tasks = new ControlledTasks();
    void add(queue, tasks, 'a', 3);
    await settle();
    expect(tasks.started).toEqual(['a1', 'a2']);
    await tasks.end('a2');
    expect(tasks.started.at(-1)).toBe('a3');
  });

  it('refuses tasks of a key of which too many wait, but not those of another key', async () => {
    const queue = new FairQueue<string>({ concurrency: 1, waiting: { perKey: 2, error: () => new Busy() } });
    const tasks = new ControlledTasks();
    void add(queue, tasks, 'a', 3);
    await settle();
    await expect(queue.run('a', tasks.of('a4'))).rejects.toThrow(Busy);
    void add(queue, tasks, 'b', 1);
    await tasks.end('a1');
    expect(tasks.started).toEqual(['a1', 'b1']);
    await tasks.end('b1');
    void queue.run('a', tasks.of('a5'));
    for (const name of ['a2', 'a3']) await tasks.end(name);
    expect(tasks.started.at(-1)).toBe('a5');
  });

  it('forgets a waiting task that is aborted', async () => {
    const queue = new FairQueue<string>({ concurrency: 1 });
    const tasks = new ControlledTasks();
    void add(queue, tasks, 'a', 1);
    const leaving = new AbortController();
    const left = queue.run('b', tasks.of('b1'), leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(queue.size('b')).toBe(0);
    void add(queue, tasks, 'c', 1);
    await tasks.end('a1');
    expect(tasks.started).toEqual(['a1', 'c1']);
    await expect(queue.run('d', tasks.of('d1'), leaving.signal)).rejects.toThrow('gone');
  });

  it('frees the place of a task that fails', async () => {
    const queue = new FairQueue<string>({ concurrency: 1 });
    const failing = queue.run('a', () => Promise.reject(new Error('failed')));
    await expect(failing).rejects.toThrow('failed');
    expect(await queue.run('b', async () => 'done')).toBe('done');
  });

  it('frees an acquired place once, however often it is released', async () => {
    const queue = new FairQueue<string>({ concurrency: 1 });
    const release = await queue.acquire('a');
    const tasks = new ControlledTasks();
    void add(queue, tasks, 'b', 2);
    release();
    release();
    await settle();
    expect(tasks.started).toEqual(['b1']);
  });

  it('acquires a place without waiting if one is free and no task of the key waits', async () => {
    const queue = new FairQueue<string>({ concurrency: 2, perKey: 1 });
    const release = queue.tryAcquire('a');
    expect(queue.tryAcquire('a')).toBeUndefined();
    expect(queue.size('a')).toBe(1);
    const waiting = queue.acquire('a');
    release?.();
    expect(queue.tryAcquire('a')).toBeUndefined();
    (await waiting)();
    expect(queue.size('a')).toBe(0);
  });

  it('ends the waiting after its limit with its error, and the place goes to another task', async () => {
    const queue = new FairQueue<string>({ concurrency: 1 });
    const release = await queue.acquire('a');
    const limit = { milliseconds: 1, error: () => new Error('too late') };
    await expect(queue.acquire('b', undefined, limit)).rejects.toThrow('too late');
    expect(queue.size('b')).toBe(0);
    const other = queue.acquire('c', undefined, { ...limit, milliseconds: 60_000 });
    release();
    (await other)();
    expect(['a', 'c'].map((key) => queue.size(key))).toEqual([0, 0]);
  });

  it('runs every task once, never more than the places, whatever the keys', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), cycles: fc.nat(3) }), { maxLength: 40 }),
        async (concurrency, perKey, calls) => {
          const queue = new FairQueue<string>({ concurrency, ...(perKey ? { perKey } : {}) });
          const running: string[] = [];
          let most = 0;
          const results = calls.map(({ key, cycles }, index) =>
            queue.run(key, async () => {
              running.push(key);
              most = Math.max(most, running.length);
              expect(running.filter((each) => each === key).length).toBeLessThanOrEqual(perKey ?? concurrency);
              for (let cycle = 0; cycle < cycles; cycle++) await settle();
              running.splice(running.indexOf(key), 1);
              return index;
            }),
          );
          expect(await Promise.all(results)).toEqual(calls.map((_, index) => index));
          expect(most).toBeLessThanOrEqual(concurrency);
          expect(['a', 'b', 'c', 'd'].map((key) => queue.size(key))).toEqual([0, 0, 0, 0]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('says whether a key has a place, and how many tasks wait', async () => {
    const shared = new FairQueue({ concurrency: 4 });
    const releases: (() => void)[] = [];
    for (let release = shared.tryAcquire(1); release; release = shared.tryAcquire(1)) releases.push(release);
    expect([shared.hasPlaceFor(1), shared.hasPlaceFor(2), shared.waiting]).toEqual([false, true, 0]);
    const waiting = shared.acquire(1);
    expect([shared.hasPlaceFor(1), shared.waiting]).toEqual([false, 1]);
    for (const release of releases) release();
    (await waiting)();
    expect([shared.hasPlaceFor(1), shared.waiting]).toEqual([true, 0]);
  });
});
