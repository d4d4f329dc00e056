import { CircuitBreaker } from './circuit-breaker.js';
import { deliver, preflight } from './deliver.js';
import type { DeliveryContext } from './delivery-contexts.js';
import { type DeliveryTarget, type DueCursor, type DueDelivery, findDueDeliveries } from './due-deliveries.queries.js';

const RUN_MS = 5_000;
/** How many successes of a webhook may wait to be recorded. If the process dies, their requests are repeated. */
const MAX_UNRECORDED = 16;

/** How old the result of a preflight check may be when its attempt begins; otherwise the check is repeated. */
const MAX_CHECK_AGE_MS = 10;

/** A delivery that may be attempted. */
interface CheckedDelivery {
  readonly delivery: DueDelivery;
  readonly target: DeliveryTarget;
  /** When the result of the check came, in milliseconds. */
  readonly at: number;
}

/**
 * Delivers to one leased webhook for at most five seconds, with as many concurrent attempts as its circuit breaker allows.
 * While these run, the same number of deliveries is checked, so that no attempt has to wait for the check of the next one.
 * Ends when nothing is due, the time is over, the process shuts down, the circuit opens, or a delivery is skipped.
 */
export class WebhookRun {
  private readonly breaker = new CircuitBreaker();
  private due: DueDelivery[] = [];
  private readonly inCheck = new Set<number>();
  private readonly checked: CheckedDelivery[] = [];
  private readonly inProgress = new Set<number>();
  private readonly unrecorded = new Set<number>();
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
      if (this.mayCheck() && this.due.length === 0) await this.readDue();
      if (this.mayAttempt() && this.checked.length > 0) this.startAttempt();
      else if (this.mayCheck() && this.due.length > 0) this.startCheck(this.due.shift() as DueDelivery);
      else if (this.inCheck.size + this.inProgress.size + this.unrecorded.size > 0) await this.nextChange();
      else break;
    }
    if (this.failure) throw this.failure.error;
  }

  /** Resolves when a check or an attempt has ended or a success is recorded. Racing the promises of all would cost more. */
  private nextChange(): Promise<void> {
    return new Promise((resolve) => (this.noteChange = resolve));
  }

  private get isOver(): boolean {
    return this.isStopped || !!this.failure || this.stopping.aborted || performance.now() > this.until;
  }

  private mayCheck(): boolean {
    const started = this.inCheck.size + this.checked.length + this.inProgress.size;
    return !this.isOver && started < 2 * this.breaker.maxConcurrent;
  }

  private mayAttempt(): boolean {
    return !this.isOver && this.inProgress.size < this.breaker.maxConcurrent && this.unrecorded.size < MAX_UNRECORDED;
  }

  private async readDue(): Promise<void> {
    const { scope } = this.context;
    try {
      const inProgress = [
        ...this.inCheck,
        ...this.checked.map(({ delivery }) => delivery.id),
        ...this.inProgress,
        ...this.unrecorded,
      ];
      this.due = await findDueDeliveries(scope, this.context, { inProgress, after: this.lastRead });
      const last = this.due.at(-1);
      this.lastRead = last?.is_backlog ? last : undefined;
    } catch (error) {
      this.failure = { error };
    }
  }

  private startCheck(delivery: DueDelivery): void {
    this.inCheck.add(delivery.id);
    void this.check(delivery).then(() => {
      this.inCheck.delete(delivery.id);
      this.noteChange();
    });
  }

  /** Never rejects. If it fails, the state of the webhook that was read with its lease is out of date. */
  private async check(delivery: DueDelivery): Promise<void> {
    try {
      const target = await preflight(this.context, delivery);
      if (target) this.checked.push({ delivery, target, at: performance.now() });
      else this.isStopped = true;
    } catch (error) {
      this.failure = { error };
    }
  }

  private startAttempt(): void {
    const { delivery, target, at } = this.checked.shift() as CheckedDelivery;
    if (performance.now() > at + MAX_CHECK_AGE_MS) return this.startCheck(delivery);
    this.inProgress.add(delivery.id);
    void this.attempt(delivery, target).then(() => {
      this.inProgress.delete(delivery.id);
      this.noteChange();
    });
  }

  /** Never rejects. */
  private async attempt(delivery: DueDelivery, target: DeliveryTarget): Promise<void> {
    try {
      const result = await deliver(this.context, delivery, target);
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
