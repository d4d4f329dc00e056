import { BackgroundSteps, KeyActivity } from './index.js';

/** Occupies the main thread. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const newSteps = (): BackgroundSteps => new BackgroundSteps(new KeyActivity());

describe('BackgroundSteps', () => {
  it('converts all items in their order, some in each step', async () => {
    const items = Array.from({ length: 50 }, (_, index) => index);
    const steps: number[][] = [];
    const convert = (item: number): number => {
      work(0.5);
      return item * 2;
    };
    for await (const results of newSteps().map(1, items, convert)) steps.push(results);
    expect(steps.flat()).toEqual(items.map((item) => item * 2));
    expect(steps.length).toBeGreaterThanOrEqual(10);
  });

  it('does without a step for no items', async () => {
    for await (const results of newSteps().map(1, [], String)) expect(results).toBe('no results');
  });

  it('alternates between the keys, however many calls one of them has', async () => {
    const background = newSteps();
    const order: number[] = [];
    const consume = async (key: number): Promise<void> => {
      const convert = (): void => {
        work(2);
        order.push(key);
      };
      for await (const results of background.map(key, Array(10).fill(0), convert)) expect(results).toHaveLength(1);
    };
    await Promise.all([consume(1), consume(1), consume(1), consume(2)]);
    expect(order.slice(0, 20).filter((key) => key === 2).length).toBeGreaterThanOrEqual(8);
  });

  it('finishes work in several steps, between those of another key', async () => {
    const background = newSteps();
    const order: number[] = [];
    function* workOf(key: number): Generator<undefined, string> {
      for (let part = 0; part < 10; part += 1) {
        work(1);
        order.push(key);
        yield;
      }
      return `result of ${key}`;
    }
    const results = [1, 2].map((key) => background.finish(key, workOf(key)));
    expect(await Promise.all(results)).toEqual(['result of 1', 'result of 2']);
    expect(order.lastIndexOf(1)).toBeGreaterThan(order.indexOf(2));
    expect(order).toHaveLength(20);
  });

  it('goes on with other calls after an item that fails', async () => {
    const background = newSteps();
    const failing = background.map(1, [1], () => {
      throw new Error('failed');
    });
    await expect(failing.next()).rejects.toThrow('failed');
    expect((await background.map(2, [1], String).next()).value).toEqual(['1']);
  });

  describe('after a step of ten milliseconds', () => {
    let activity: KeyActivity;
    let order: string[];
    beforeEach(() => {
      jest.useFakeTimers();
      activity = new KeyActivity();
      order = [];
    });
    afterEach(() => jest.useRealTimers());

    /** Runs a step of ten milliseconds, and begins another one. */
    async function runTwo(): Promise<void> {
      const background = new BackgroundSteps(activity);
      await background.run(1, () => jest.advanceTimersByTime(10));
      void background.run(1, () => order.push('next step'));
    }

    it('goes on at once for a key that is alone, after what the event loop has ready', async () => {
      activity.begin(1);
      await runTwo();
      expect(order).toEqual([]);
      await jest.advanceTimersByTimeAsync(0);
      expect(order).toEqual(['next step']);
    });

    it('waits for ten milliseconds beside the work of another key', async () => {
      activity.begin(2);
      await runTwo();
      await jest.advanceTimersByTimeAsync(9);
      expect(order).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(order).toEqual(['next step']);
    });
  });
});
