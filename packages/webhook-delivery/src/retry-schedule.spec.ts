import { openDelay, retryDelay, type RetrySchedules } from './retry-schedule.js';

const schedules: RetrySchedules = {
  retries: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  probes: [5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400],
};
const middle = () => 0.5;

describe('retryDelay', () => {
  it('returns the delays of the schedule and then undefined, which makes eight attempts in all', () => {
    const delays = Array.from({ length: 8 }, (_, n) => retryDelay(schedules, { failures: n + 1 }, middle));
    expect(delays).toEqual([...schedules.retries, undefined]);
  });

  it('varies each delay by up to 20 %', () => {
    expect(retryDelay(schedules, { failures: 2 }, () => 0)).toBeCloseTo(240);
    expect(retryDelay(schedules, { failures: 2 }, () => 1)).toBeCloseTo(360);
  });

  it.each([
    [1, 300],
    [400, 400],
    [600, 600],
    [86_400, 600],
  ])('turns a delay of 300 s and a Retry-After of %d s into %d s', (requested, expected) => {
    expect(retryDelay(schedules, { failures: 2, retry_after: requested }, middle)).toBeCloseTo(expected);
  });

  it('returns undefined if retries are turned off', () => {
    expect(retryDelay({ ...schedules, retries: [] }, { failures: 1 }, middle)).toBeUndefined();
  });
});

describe('openDelay', () => {
  it('grows with the failures in a row, and repeats the last delay of the schedule', () => {
    const delays = Array.from({ length: 11 }, (_, n) => openDelay(schedules, { failures: n + 1 }, middle));
    expect(delays).toEqual([...schedules.probes, 14_400, 14_400]);
  });

  it('returns 0 if pauses are turned off', () => {
    expect(openDelay({ ...schedules, probes: [] }, { failures: 3 }, middle)).toBe(0);
  });
});
