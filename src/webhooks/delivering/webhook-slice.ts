import { deliver } from './deliver.js';
import { type DueDelivery, dueDeliveries } from './lane.queries.js';
import { Pace } from './pacing.js';
import type { WebhookLane } from './webhook-lanes.js';

const SLICE_MS = 5_000;

/**
 * One slice of work on one webhook: a few deliveries at a time, the next as soon as one is done, until nothing is due,
 * time is up, or a failure calls for a pause.
 */
export class WebhookSlice {
  private readonly pace = new Pace();
  private readonly underWay = new Map<number, Promise<void>>();
  private due: DueDelivery[] = [];
  private isOver = false;
  private fault: { readonly error: unknown } | undefined;
  private readonly until = Date.now() + SLICE_MS;

  constructor(
    private readonly lane: WebhookLane,
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
    if (this.fault) throw this.fault.error;
  }

  /** The delivery that may start now, if any may. */
  private async next(): Promise<DueDelivery | undefined> {
    if (!this.mayStart()) return undefined;
    if (this.due.length === 0) await this.lookForMore();
    return this.mayStart() ? this.due.shift() : undefined;
  }

  private mayStart(): boolean {
    if (this.isOver || this.fault || this.stopping.aborted || Date.now() > this.until) return false;
    return this.underWay.size < this.pace.atOnce;
  }

  private async lookForMore(): Promise<void> {
    const { scope } = this.lane;
    try {
      this.due = await dueDeliveries(scope, this.lane, [...this.underWay.keys()]);
    } catch (error) {
      this.fault = { error };
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
      const end = await deliver(this.lane, due);
      switch (end) {
        case 'taken':
          return this.pace.succeeded();
        case 'go on':
          return this.pace.failed();
        // What was true of the webhook when it was taken is so no more.
        case 'withdrawn':
        case 'pause':
        case 'disabled':
          this.isOver = true;
          return;
        default:
          return end satisfies never;
      }
    } catch (error) {
      this.fault = { error };
    }
  }
}
