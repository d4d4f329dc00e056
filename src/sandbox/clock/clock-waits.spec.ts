import { ClockWaits } from './clock-waits.js';

const SANDBOX = 7;
const SECOND_MS = 1_000;

describe('ClockWaits', () => {
  let waits: ClockWaits;

  beforeEach(() => {
    jest.useFakeTimers();
    waits = new ClockWaits();
    waits.isStuck(SANDBOX, 1_000);
  });
  afterEach(() => jest.useRealTimers());

  it('lets a clock go on after a minute without progress, however many runs there were in it', () => {
    for (let run = 0; run < 11; run += 1) {
      jest.advanceTimersByTime(5 * SECOND_MS);
      expect(waits.isStuck(SANDBOX, 1_000)).toBe(false);
    }
    jest.advanceTimersByTime(5 * SECOND_MS);
    expect(waits.isStuck(SANDBOX, 1_000)).toBe(true);
  });

  it('waits for work with progress, but not for more than ten minutes', () => {
    for (let minute = 0; minute < 10; minute += 1) {
      expect(waits.isStuck(SANDBOX, 1_000)).toBe(false);
      jest.advanceTimersByTime(59 * SECOND_MS);
      waits.noteProgress(SANDBOX);
    }
    jest.advanceTimersByTime(10 * SECOND_MS);
    expect(waits.isStuck(SANDBOX, 1_000)).toBe(true);
  });

  it('begins anew when the clock has moved, also by another process, and when it was put forward before', () => {
    jest.advanceTimersByTime(59 * SECOND_MS);
    expect(waits.isStuck(SANDBOX, 2_000)).toBe(false);
    jest.advanceTimersByTime(59 * SECOND_MS);
    expect(waits.isStuck(SANDBOX, 2_000)).toBe(false);
    waits.end(SANDBOX);
    jest.advanceTimersByTime(59 * SECOND_MS);
    expect(waits.isStuck(SANDBOX, 2_000)).toBe(false);
  });

  it('knows each sandbox by itself', () => {
    jest.advanceTimersByTime(60 * SECOND_MS);
    expect([waits.isStuck(8, 1_000), waits.isStuck(SANDBOX, 1_000)]).toEqual([false, true]);
  });
});
