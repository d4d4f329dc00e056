import { setTimeout as pause } from 'node:timers/promises';

/** Delays and blocks requests to a receiver, and measures how many are concurrent. */
export class RequestGate {
  /** The maximum of concurrent requests so far. */
  maxConcurrent = 0;
  private concurrent = 0;
  private readonly blocked: (() => void)[] = [];

  /**
   * @param free the number of requests that pass until `open` is called
   * @param milliseconds the delay of each request
   */
  constructor(
    private free = Infinity,
    private readonly milliseconds = 0,
  ) {}

  readonly pass = async (): Promise<void> => {
    this.maxConcurrent = Math.max(this.maxConcurrent, (this.concurrent += 1));
    if (this.milliseconds > 0) await pause(this.milliseconds);
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.blocked.push(resolve));
    this.concurrent -= 1;
  };

  /** The number of blocked requests, including those of processes that were killed since. */
  get waiting(): number {
    return this.blocked.length;
  }

  /** Releases the blocked requests, and lets `more` requests pass. */
  open(more = Infinity): void {
    this.free = more;
    for (const release of this.blocked.splice(0)) release();
  }
}
