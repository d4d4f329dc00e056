import { CircuitBreaker } from './circuit-breaker.js';
import { deliver } from './deliver.js';
import type { DeliveryContext } from './delivery-contexts.js';
import { type DueCursor, type DueDelivery, findDueDeliveries, MAX_DELIVERIES_READ } from './due-deliveries.queries.js';

const RUN_MS = 5_000;
/** How many successes of a webhook may wait to be recorded. If the process dies, their requests are repeated. */
const MAX_UNRECORDED = 8;

/**
 * Delivers to one leased webhook for at most five seconds, with as many concurrent attempts as its circuit breaker allows.
 * Ends when nothing is due, the time is over, the process shuts down, the circuit opens, or a delivery is skipped.
 */
export class WebhookRun {
  private readonly breaker = new CircuitBreaker();
  private readonly inProgress = new Set<number>();
  private readonly unrecorded = new Set<number>();
  private due: DueDelivery[] = [];
  /** Of a backlog. Otherwise the next read starts at the first delivery: a transaction may have committed late. */
  private lastRead: DueCursor | undefined;
  private isStopped = false;
  private failure: { readonly error: unknown } | undefined;
  private noteChange: () => void = () => undefined;
  private readonly until = performance.now() + RUN_MS;

  constructor(
    private readonly context: DeliveryContext,
    private readonly stopping: AbortSignal,
  ) {}

  /** Waits until the deliveries in progress are recorded. @throws an error of the database, once they have ended */
  async run(): Promise<void> {
    for (;;) {
      if (this.mayStart() && this.due.length === 0) await this.readDue();
      const due = this.mayStart() ? this.due.shift() : undefined;
      if (due) this.start(due);
      else if (this.inProgress.size + this.unrecorded.size > 0) await this.nextChange();
      else break;
    }
    if (this.failure) throw this.failure.error;
  }

  /** Resolves when an attempt has ended or a success is recorded. Racing the promises of all would cost more than these. */
  private nextChange(): Promise<void> {
    return new Promise((resolve) => (this.noteChange = resolve));
  }

  private mayStart(): boolean {
    if (this.isStopped || this.failure || this.stopping.aborted || performance.now() > this.until) return false;
    return this.inProgress.size < this.breaker.maxConcurrent && this.unrecorded.size < MAX_UNRECORDED;
  }

  private async readDue(): Promise<void> {
    const { scope } = this.context;
    try {
      const inProgress = [...this.inProgress, ...this.unrecorded];
      this.due = await findDueDeliveries(scope, this.context, { inProgress, after: this.lastRead });
      this.lastRead = this.due.length === MAX_DELIVERIES_READ ? this.due.at(-1) : undefined;
    } catch (error) {
      this.failure = { error };
    }
  }

  private start(delivery: DueDelivery): void {
    this.inProgress.add(delivery.id);
    void this.deliver(delivery).then(() => {
      this.inProgress.delete(delivery.id);
      this.noteChange();
    });
  }

  /** Never rejects. */
  private async deliver(delivery: DueDelivery): Promise<void> {
    try {
      const result = await deliver(this.context, delivery);
      switch (result.kind) {
        case 'delivered':
          this.waitForRecord(delivery.id, result.recorded);
          return this.breaker.recordSuccess();
        case 'failed':
          return this.breaker.recordFailure();
        case 'paused':
        case 'disabled':
          return this.breaker.open();
        case 'skipped':
          // The state of the webhook that was read with its lease is out of date.
          this.isStopped = true;
          return;
        default:
          return result satisfies never;
      }
    } catch (error) {
      this.failure = { error };
    }
  }

  private waitForRecord(id: number, recorded: Promise<undefined>): void {
    this.unrecorded.add(id);
    void recorded
      .catch((error: unknown) => void (this.failure = { error }))
      .then(() => {
        this.unrecorded.delete(id);
        this.noteChange();
      });
  }
}
