import { CircuitBreaker } from './circuit-breaker.js';
import { deliver, preflight } from './deliver.js';
import type { DeliveryContext } from './delivery-contexts.js';
import {
  type DeliveryTarget,
  type DueCursor,
  type DueDelivery,
  FIRST_READ_LIMIT,
  findDueDeliveries,
  nextReadLimit,
} from './due-deliveries.queries.js';

const RUN_MS = 5_000;

/**
 * How many attempts of a webhook may be in progress or have succeeded without being recorded. If the process dies, their
 * requests are repeated.
 */
const MAX_UNRECORDED = 20;

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
 * If the receiver is fast, the same number of deliveries is checked meanwhile, so that no attempt has to wait for its check.
 * Ends when nothing is due, the time is over, the process shuts down, the circuit opens, a delivery is skipped, or the webhook has
 * another URL or secret.
 */
export class WebhookRun {
  private readonly breaker = new CircuitBreaker();
  private isReading = false;
  private due: DueDelivery[] = [];
  private readonly inCheck = new Set<number>();
  private readonly checked: CheckedDelivery[] = [];
  private readonly inProgress = new Set<number>();
  private readonly unrecorded = new Set<number>();
  /** Of a backlog. Otherwise the next read starts at the first delivery: a transaction may have committed late. */
  private lastRead: DueCursor | undefined;
  private readLimit = FIRST_READ_LIMIT;
  /** An attempt or its record has ended since the last read, so that others may be due. */
  private mayBeDue = true;
  /** How long the last attempt took, in milliseconds. */
  private lastAttemptMs = 0;
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
      if (this.checked.length > 0 && this.mayAttempt()) this.startAttempt();
      else if (this.due.length > 0 && this.mayCheck()) this.startCheck(this.due.shift() as DueDelivery);
      else if (this.mayRead()) this.startRead();
      else if (this.isBusy) await this.nextChange();
      else break;
    }
    if (this.failure) throw this.failure.error;
  }

  /** Resolves when something that was started has ended. Racing the promises of all would cost more. */
  private nextChange(): Promise<void> {
    return new Promise((resolve) => (this.noteChange = resolve));
  }

  private get isBusy(): boolean {
    return this.isReading || this.inCheck.size + this.inProgress.size + this.unrecorded.size > 0;
  }

  private get isOver(): boolean {
    return this.isStopped || !!this.failure || this.stopping.aborted || performance.now() > this.until;
  }

  private mayAttempt(): boolean {
    const { inProgress, unrecorded, breaker } = this;
    return (
      !this.isOver && inProgress.size < breaker.maxConcurrent && inProgress.size + unrecorded.size < MAX_UNRECORDED
    );
  }

  /** A check ahead of a slow receiver would be too old when one of its attempts ends. */
  private mayCheck(): boolean {
    const { maxConcurrent } = this.breaker;
    const ahead = this.lastAttemptMs < MAX_CHECK_AGE_MS ? maxConcurrent : 0;
    const started = this.inCheck.size + this.checked.length + this.inProgress.size;
    return !this.isOver && started < maxConcurrent + ahead;
  }

  private mayRead(): boolean {
    if (this.isReading || this.due.length > 0 || !this.mayCheck()) return false;
    return this.lastRead !== undefined || (this.mayBeDue && this.inCheck.size + this.checked.length === 0);
  }

  private startRead(): void {
    this.isReading = true;
    this.mayBeDue = false;
    void this.read().then(() => {
      this.isReading = false;
      this.noteChange();
    });
  }

  /** Never rejects. */
  private async read(): Promise<void> {
    const inProgress = [
      ...this.inCheck,
      ...this.checked.map(({ delivery }) => delivery.id),
      ...this.inProgress,
      ...this.unrecorded,
    ];
    const range = { inProgress, after: this.lastRead, limit: this.readLimit };
    try {
      this.due = await findDueDeliveries(this.context.scope, this.context, range);
    } catch (error) {
      this.failure = { error };
      return;
    }
    const last = this.due.at(-1);
    this.lastRead = last?.is_backlog ? last : undefined;
    this.readLimit = this.lastRead ? nextReadLimit(this.readLimit, this.due.length) : FIRST_READ_LIMIT;
  }

  private startCheck(delivery: DueDelivery): void {
    this.inCheck.add(delivery.id);
    void this.check(delivery).then(() => {
      this.inCheck.delete(delivery.id);
      this.noteChange();
    });
  }

  /** Never rejects. Without a target, the state of the webhook that was read with its lease is out of date. */
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
    const startedAt = performance.now();
    void this.attempt(delivery, target).then(() => {
      this.lastAttemptMs = performance.now() - startedAt;
      this.inProgress.delete(delivery.id);
      this.mayBeDue = true;
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
        case 'superseded':
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
        this.mayBeDue = true;
        this.noteChange();
      });
  }
}
