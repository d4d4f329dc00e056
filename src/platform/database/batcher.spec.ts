import { Batcher } from './batcher.js';

describe('Coalescer', () => {
  it('gathers what arrives while a batch is under way', async () => {
    const batches: number[][] = [];
    const squares = new Batcher<number, number>(
      async (items) => {
        batches.push([...items]);
        return items.map((item) => item * item);
      },
      3,
      1,
    );
    const results = await Promise.all([1, 2, 3, 4, 5].map((item) => squares.submit(item)));
    expect(results).toEqual([1, 4, 9, 16, 25]);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('lets a failure reach each caller of its batch, and no other', async () => {
    const picky = new Batcher<number, number>(
      async (items) => {
        if (items.includes(2)) throw new Error('no twos');
        return items;
      },
      2,
      1,
    );
    const settled = await Promise.allSettled([1, 2, 3, 4].map((item) => picky.submit(item)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  });
});
