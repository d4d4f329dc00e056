import { deliver } from './deliver.js';
import { type DueDelivery, dueDeliveries } from './due-deliveries.queries.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { DeliveryContext } from './delivery-contexts.js';

const RUN_MS = 5_000;

/**
 * One slice of work on one webhook: a few deliveries at a time, the next as soon as one is done, until nothing is due,
 * time is up, or a failure calls for a pause.
 */
export class WebhookRun {
  private readonly breaker = new CircuitBreaker();
  private readonly underWay = new Map<number, Promise<void>>();
  private due: DueDelivery[] = [];
  private isStopped = false;
  private failure: { readonly error: unknown } | undefined;
  private readonly until = Date.now() + RUN_MS;

  constructor(
    private readonly context: DeliveryContext,
    private readonly stopping: AbortSignal,
  ) {}

  /** Waits for what is under way before a failure of the database escapes. */
  async run(): Promise<void> {
    for (;;) {
      const due = await this.next();
      if (due) this.start(due);
      else if (this.underWay.size > 0) await Promise.race(this.underWay.values());
      else break;
    }
    if (this.failure) throw this.failure.error;
  }

  /** The delivery that may start now, if any may. */
  private async next(): Promise<DueDelivery | undefined> {
    if (!this.mayStart()) return undefined;
    if (this.due.length === 0) await this.readDue();
    return this.mayStart() ? this.due.shift() : undefined;
  }

  private mayStart(): boolean {
    if (this.isStopped || this.failure || this.stopping.aborted || Date.now() > this.until) return false;
    return this.underWay.size < this.breaker.concurrency;
  }

  private async readDue(): Promise<void> {
    const { scope } = this.context;
    try {
      this.due = await dueDeliveries(scope, this.context, [...this.underWay.keys()]);
    } catch (error) {
      this.failure = { error };
    }
  }

  private start(due: DueDelivery): void {
    this.underWay.set(
      due.id,
      this.attempt(due).finally(() => this.underWay.delete(due.id)),
    );
  }

  private async attempt(due: DueDelivery): Promise<void> {
    try {
      const end = await deliver(this.context, due);
      switch (end) {
        case 'taken':
          return this.breaker.succeeded();
        case 'go on':
          return this.breaker.failed();
        // What was true of the webhook when it was taken is so no more.
        case 'withdrawn':
        case 'pause':
        case 'disabled':
          this.isStopped = true;
          return;
        default:
          return end satisfies never;
      }
    } catch (error) {
      this.failure = { error };
    }
  }
}
