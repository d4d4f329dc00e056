import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { Batcher } from './batcher.js';

describe('Batcher', () => {
  it('puts the items of one turn of the event loop into one batch, and what exceeds its size into the next one', async () => {
    const batches: number[][] = [];
    const squares = new Batcher<number, number>(
      async (items) => {
        batches.push([...items]);
        return items.map((item) => item * item);
      },
      { maxBatchSize: 3, maxConcurrency: 1 },
    );
    const results = await Promise.all([1, 2, 3, 4, 5].map((item) => squares.submit(item)));
    expect(results).toEqual([1, 4, 9, 16, 25]);
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('collects the next batch for a time after one of several items, and does not let a single caller wait', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const batches: number[][] = [];
      const batcher = new Batcher<number, number>(async (items) => (batches.push([...items]), items), {
        ...{ maxConcurrency: 1, collectMs: 5 },
      });
      await batcher.submit(1);
      await Promise.all([batcher.submit(2), batcher.submit(3)]);
      const collected = [batcher.submit(4)];
      await turnOfEventLoop();
      jest.advanceTimersByTime(4);
      collected.push(batcher.submit(5));
      await turnOfEventLoop();
      expect(batches).toEqual([[1], [2, 3]]);
      jest.advanceTimersByTime(1);
      await Promise.all(collected);
      expect(batches).toEqual([[1], [2, 3], [4, 5]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects the callers of the batch that failed, and no others', async () => {
    const picky = new Batcher<number, number>(
      async (items) => {
        if (items.includes(2)) throw new Error('no twos');
        return items;
      },
      { maxBatchSize: 2, maxConcurrency: 1 },
    );
    const settled = await Promise.allSettled([1, 2, 3, 4].map((item) => picky.submit(item)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  });
});
