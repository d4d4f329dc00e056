import { RecentResult } from './recent-result.js';

describe('RecentResult', () => {
  const compute = jest.fn<Promise<number>, []>();
  let result: RecentResult<number>;
  beforeEach(() => {
    jest.useFakeTimers();
    compute.mockReset();
    result = new RecentResult(compute, 1_000);
  });
  afterEach(() => jest.useRealTimers());

  it('is computed once for all callers while it is computed, and for a second after', async () => {
    let finish = (_value: number): void => undefined;
    compute.mockImplementationOnce(() => new Promise((resolve) => (finish = resolve)));
    const callers = [result.get(), result.get()];
    jest.advanceTimersByTime(5_000);
    callers.push(result.get());
    finish(7);
    expect(await Promise.all(callers)).toEqual([7, 7, 7]);
    jest.advanceTimersByTime(999);
    expect(await result.get()).toBe(7);
    expect(compute).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    compute.mockResolvedValue(8);
    expect(await result.get()).toBe(8);
  });

  it('is computed again a second after an error', async () => {
    compute.mockRejectedValueOnce(new Error('down'));
    await expect(result.get()).rejects.toThrow('down');
    await expect(result.get()).rejects.toThrow('down');
    jest.advanceTimersByTime(1_000);
    compute.mockResolvedValue(1);
    expect(await result.get()).toBe(1);
  });

  it('uses a slow result for longer, so that computing takes a part of the time at most', async () => {
    let computed = 0;
    const slow = async (): Promise<void> => {
      computed += 1;
      await jest.advanceTimersByTimeAsync(50);
    };
    const result = new RecentResult(slow, 1_000, 0.01);
    await result.get();
    await jest.advanceTimersByTimeAsync(4_949);
    await result.get();
    expect(computed).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    await result.get();
    expect(computed).toBe(2);
  });
});
