import { MAX_CONCURRENT_ATTEMPTS, CircuitBreaker, openDelay, retryDelay, type Schedules } from './circuit-breaker.js';

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
    const delays = Array.from({ length: 11 }, (_, n) => openDelay(schedules, { failures: n + 1 }, middle));
    expect(delays).toEqual([...schedules.probes, 14_400, 14_400]);
  });

  it('are none where they are turned off', () => {
    expect(openDelay({ ...schedules, probes: [] }, { failures: 3 }, middle)).toBe(0);
  });
});

describe('the pace', () => {
  it('begins with one attempt at a time, grows with each success, and falls back to one with a failure', () => {
    const breaker = new CircuitBreaker();
    const seen = [breaker.concurrency];
    for (let n = 0; n < 5; n++) {
      breaker.succeeded();
      seen.push(breaker.concurrency);
    }
    expect(seen).toEqual([1, 2, 3, 4, MAX_CONCURRENT_ATTEMPTS, MAX_CONCURRENT_ATTEMPTS]);
    breaker.failed();
    expect(breaker.concurrency).toBe(1);
  });
});
