/**
 * Concurrent attempts to one webhook while its circuit is closed. When its receiver goes down, all of them may fail, and
 * each failure counts. With four attempts and the pauses after them, an outage of five minutes causes at most five failures.
 */
export const MAX_CONCURRENT_ATTEMPTS = 4;

/**
 * Limits the concurrent attempts to one webhook during a run: none while open, one while half-open, and one more with each
 * success until it is closed. A run starts half-open, because the receiver may just have recovered, or may have gone down
 * since the last delivery. When an open circuit becomes half-open again is stored as `paused_until` of the webhook.
 */
export class CircuitBreaker {
  private limit = 1;

  get maxConcurrent(): number {
    return this.limit;
  }

  /** After a successful attempt. An open circuit stays open until the next run. */
  recordSuccess(): void {
    if (this.limit > 0) this.limit = Math.min(this.limit + 1, MAX_CONCURRENT_ATTEMPTS);
  }

  /** After a failure that causes no pause. */
  recordFailure(): void {
    this.limit = Math.min(this.limit, 1);
  }

  /** After a failure that causes a pause, or disables the webhook: this run makes no more attempts. */
  open(): void {
    this.limit = 0;
  }
}
