import { CircuitBreaker, MAX_CONCURRENT_ATTEMPTS } from './circuit-breaker.js';

describe('CircuitBreaker', () => {
  it('starts with one attempt, allows one more with each success, and falls back to one after a failure', () => {
    const breaker = new CircuitBreaker();
    const seen = [breaker.maxConcurrent];
    for (let n = 0; n < 5; n++) {
      breaker.recordSuccess();
      seen.push(breaker.maxConcurrent);
    }
    expect(seen).toEqual([1, 2, 3, 4, MAX_CONCURRENT_ATTEMPTS, MAX_CONCURRENT_ATTEMPTS]);
    breaker.recordFailure();
    expect(breaker.maxConcurrent).toBe(1);
  });

  it('allows no attempt after it was opened, even when attempts in progress succeed or fail', () => {
    const breaker = new CircuitBreaker();
    breaker.open();
    breaker.recordSuccess();
    breaker.recordFailure();
    expect(breaker.maxConcurrent).toBe(0);
  });
});
