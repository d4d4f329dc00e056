import { Turns } from './turns.js';

it('lets so many run at a time, in the order in which they came, whether they fail or not', async () => {
  const turns = new Turns(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const works = [0, 1, 2, 3, 4].map((n) =>
    turns.take(async () => {
      started.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (n === 0) throw new Error('failed');
      return n;
    }),
  );
  const outcomes = Promise.allSettled(works);
  expect(started).toEqual([0, 1]);
  ends[0]?.();
  await expect(works[0]).rejects.toThrow('failed');
  expect(started).toEqual([0, 1, 2]);
  ends[2]?.();
  await works[2];
  expect(started).toEqual([0, 1, 2, 3]);
  ends[1]?.();
  await works[1];
  ends[3]?.();
  ends[4]?.();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(await turns.take(async () => 5)).toBe(5);
});
