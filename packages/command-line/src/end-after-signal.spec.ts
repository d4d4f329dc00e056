import { endAfterSignal } from './end-after-signal.js';

describe('endAfterSignal', () => {
  const reason = new Error('stopped');
  const endless = new Promise<never>(() => undefined);
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    ['before', true],
    ['after', false],
  ])('waits for 20 seconds if the signal comes %s the work', async (_, isBefore) => {
    const controller = new AbortController();
    if (isBefore) controller.abort(reason);
    const ended = expect(endAfterSignal(endless, controller.signal)).rejects.toBe(reason);
    if (!isBefore) controller.abort(reason);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(20_000);
    await ended;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('returns the result of work that ends in time', async () => {
    expect(await endAfterSignal(Promise.resolve('done'), AbortSignal.abort(reason))).toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });
});
