import { setTimeout as pause } from 'node:timers/promises';

/** What requests to a receiver wait for: each its time, and all of them for the gate. Sees how many come at once. */
export class RequestGate {
  /** Requests that were waiting for their answers at one instant, at most. */
  maxConcurrent = 0;
  private concurrent = 0;
  private readonly blocked: (() => void)[] = [];

  /**
   * @param free requests that pass until the gate is opened again
   * @param milliseconds that each takes to pass
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

  /** Requests that were held; those of processes that died meanwhile too. */
  get waiting(): number {
    return this.blocked.length;
  }

  /** Lets those go that are held, and so many more. */
  open(more = Infinity): void {
    this.free = more;
    for (const release of this.blocked.splice(0)) release();
  }
}
