import { MOST_AT_ONCE, Pace, probeDelay, retryDelay, type Schedules } from './pacing.js';

const schedules: Schedules = {
  retries: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  probes: [5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400],
};
const middle = () => 0.5;

describe('the pauses of a delivery', () => {
  it('are those of the schedule, then none: eight attempts in all', () => {
    const delays = Array.from({ length: 8 }, (_, n) => retryDelay(schedules, { failures: n + 1 }, middle));
    expect(delays).toEqual([...schedules.retries, undefined]);
  });

  it('vary by a fifth', () => {
    expect(retryDelay(schedules, { failures: 2 }, () => 0)).toBeCloseTo(240);
    expect(retryDelay(schedules, { failures: 2 }, () => 1)).toBeCloseTo(360);
  });

  it.each([
    [1, 300],
    [400, 400],
    [600, 600],
    [86_400, 600],
  ])('are at most doubled by a receiver that asks for %d s', (asked, expected) => {
    expect(retryDelay(schedules, { failures: 2, retry_after: asked }, middle)).toBeCloseTo(expected);
  });

  it('are none where retries are turned off', () => {
    expect(retryDelay({ ...schedules, retries: [] }, { failures: 1 }, middle)).toBeUndefined();
  });
});

describe('the pauses of a failing webhook', () => {
  it('grow with its failures in a row; the last one stays', () => {
    const delays = Array.from({ length: 11 }, (_, n) => probeDelay(schedules, { failures: n + 1 }, middle));
    expect(delays).toEqual([...schedules.probes, 14_400, 14_400]);
  });

  it('are none where they are turned off', () => {
    expect(probeDelay({ ...schedules, probes: [] }, { failures: 3 }, middle)).toBe(0);
  });
});

describe('the pace', () => {
  it('begins with one attempt at a time, grows with each success, and falls back to one with a failure', () => {
    const pace = new Pace();
    const seen = [pace.atOnce];
    for (let n = 0; n < 5; n++) {
      pace.succeeded();
      seen.push(pace.atOnce);
    }
    expect(seen).toEqual([1, 2, 3, 4, MOST_AT_ONCE, MOST_AT_ONCE]);
    pace.failed();
    expect(pace.atOnce).toBe(1);
  });
});
