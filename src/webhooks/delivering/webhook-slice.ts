import { deliver } from './deliver.js';
import { dueDeliveries } from './lane.queries.js';
import { Pace } from './pacing.js';
import type { WebhookLane } from './webhook-lanes.js';

const BATCH = 200;
const SLICE_MS = 5_000;

/**
 * One slice of work on one webhook: a few deliveries at a time, the next as soon as one is done, until nothing is due,
 * time is up, or a failure calls for a pause.
 */
export class WebhookSlice {
  private readonly pace = new Pace();
  private readonly underWay = new Map<number, Promise<void>>();
  private due: number[] = [];
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
      const id = await this.next();
      if (id !== undefined) this.start(id);
      else if (this.underWay.size > 0) await Promise.race(this.underWay.values());
      else break;
    }
    if (this.fault) throw this.fault.error;
  }

  /** The delivery that may start now, if any may. */
  private async next(): Promise<number | undefined> {
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
      this.due = await dueDeliveries(scope, this.lane, [...this.underWay.keys()], BATCH);
    } catch (error) {
      this.fault = { error };
    }
  }

  private start(id: number): void {
    this.underWay.set(
      id,
      this.attempt(id).finally(() => this.underWay.delete(id)),
    );
  }

  private async attempt(id: number): Promise<void> {
    try {
      const end = await deliver(this.lane, id);
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
