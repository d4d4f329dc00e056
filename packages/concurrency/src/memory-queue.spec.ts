import { MemoryQueue } from './index.js';

class Busy extends Error {}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('MemoryQueue', () => {
  const queueOf = (waitingPerKey = 10) =>
    new MemoryQueue<string>({ bytesPerKey: 100, waiting: { perKey: waitingPerKey, error: () => new Busy() } });
  const fixed = (bytes: number) => (): number => bytes;

  /** Acquires, and adds the name to `started` when that succeeds. */
  function start(queue: MemoryQueue<string>, started: string[], name: string, bytes: number) {
    const [key = ''] = name;
    const acquired = queue.acquire(key, fixed(bytes));
    void acquired.then(() => started.push(name));
    return acquired;
  }

  it('starts tasks while they fit, and others in their order when a running one ends', async () => {
    const queue = queueOf();
    const started: string[] = [];
    const first = start(queue, started, 'a1', 60);
    for (const [name, bytes] of [
      ['a2', 60],
      ['a3', 10],
      ['a4', 40],
    ] as const)
      void start(queue, started, name, bytes);
    await settle();
    expect(started).toEqual(['a1', 'a3']);
    (await first)();
    await settle();
    expect(started).toEqual(['a1', 'a3', 'a2']);
  });

  it('does not make a key wait for the tasks of another one', async () => {
    const queue = queueOf();
    const started: string[] = [];
    for (const name of ['a1', 'a2', 'b1']) void start(queue, started, name, 100);
    await settle();
    expect(started).toEqual(['a1', 'b1']);
  });

  it('lets a task run alone that is larger than the limit', async () => {
    const queue = queueOf();
    const started: string[] = [];
    const first = start(queue, started, 'a1', 1000);
    const second = start(queue, started, 'a2', 1000);
    await settle();
    expect(started).toEqual(['a1']);
    (await first)();
    (await second)();
    expect(started).toEqual(['a1', 'a2']);
  });

  it('asks the running tasks again for their memory', async () => {
    const queue = queueOf();
    let bytes = 100;
    await queue.acquire('a', () => bytes);
    expect(queue.tryAcquire('a', fixed(50))).toBeUndefined();
    bytes = 50;
    expect(queue.tryAcquire('a', fixed(50))).toBeDefined();
  });

  it('refuses a task if too many wait, until one stops waiting', async () => {
    const queue = queueOf(1);
    const controller = new AbortController();
    const release = await queue.acquire('a', fixed(60));
    const aborted = queue.acquire('a', fixed(60), controller.signal);
    await expect(queue.acquire('a', fixed(60))).rejects.toThrow(Busy);
    controller.abort(new Error('closed'));
    await expect(aborted).rejects.toThrow('closed');
    const next = queue.acquire('a', fixed(60));
    release();
    await next;
  });

  it('does not wait longer than its limit', async () => {
    const queue = queueOf();
    await queue.acquire('a', fixed(100));
    const limit = { milliseconds: 1, error: () => new Busy() };
    await expect(queue.acquire('a', fixed(1), undefined, limit)).rejects.toThrow(Busy);
  });

  it('ignores a second release', async () => {
    const queue = queueOf();
    const release = await queue.acquire('a', fixed(100));
    release();
    await queue.acquire('a', fixed(100));
    release();
    expect(queue.tryAcquire('a', fixed(1))).toBeUndefined();
  });
});
