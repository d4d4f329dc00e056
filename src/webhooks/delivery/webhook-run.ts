import { CircuitBreaker } from '@outreach/webhook-delivery';
import { stateAfter } from '../../platform/concurrency/index.js';
import { deliver, type DeliveryResult, preflight } from './deliver.js';
import type { DeliveryContext } from './delivery-contexts.js';
import {
  type DeliveryTarget,
  type DueCursor,
  type DueDelivery,
  FIRST_READ_LIMIT,
  findDueDeliveries,
  nextReadLimit,
} from './due-deliveries.queries.js';
import { type DeliveryStep, READ_TRANSITIONS, type ReadEvent, type ReadState, RunDeliveries } from './run-states.js';

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

type DeliveredAttempt = Extract<DeliveryResult, { kind: 'delivered' }>;

/**
 * Delivers to one leased webhook for at most five seconds, with as many concurrent attempts as its circuit breaker allows.
 * If the receiver is fast, the same number of deliveries is checked meanwhile, so that no attempt has to wait for its check.
 * Ends when nothing is due, the time is over, the process shuts down, the circuit opens, a delivery is skipped, or the webhook
 * has another URL or secret.
 */
export class WebhookRun {
  private readonly breaker = new CircuitBreaker();
  private due: DueDelivery[] = [];
  private readonly checked: CheckedDelivery[] = [];
  private readonly deliveries = new RunDeliveries();
  private reads: ReadState = 'stale';
  /** Of a backlog. Otherwise the next read starts at the first delivery: a transaction may have committed late. */
  private lastRead: DueCursor | undefined;
  private readLimit = FIRST_READ_LIMIT;
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
    return this.reads.startsWith('reading') || this.deliveries.count('checking', 'attempting', 'recording') > 0;
  }

  private get isOver(): boolean {
    return this.isStopped || !!this.failure || this.stopping.aborted || performance.now() > this.until;
  }

  private mayAttempt(): boolean {
    const attempting = this.deliveries.count('attempting');
    const isFull = attempting + this.deliveries.count('recording') >= MAX_UNRECORDED;
    return !this.isOver && !isFull && attempting < this.breaker.maxConcurrent;
  }

  /** A check ahead of a slow receiver would be too old when one of its attempts ends. */
  private mayCheck(): boolean {
    const { maxConcurrent } = this.breaker;
    const ahead = this.lastAttemptMs < MAX_CHECK_AGE_MS ? maxConcurrent : 0;
    const started = this.deliveries.count('checking', 'checked', 'attempting');
    return !this.isOver && started < maxConcurrent + ahead;
  }

  private mayRead(): boolean {
    if (this.reads.startsWith('reading') || this.due.length > 0 || !this.mayCheck()) return false;
    if (this.lastRead !== undefined) return true;
    return this.reads === 'stale' && this.deliveries.count('checking', 'checked') === 0;
  }

  private startRead(): void {
    this.noteRead('read begins');
    void this.read().then(() => this.noteRead('read ends'));
  }

  private noteRead(event: ReadEvent): void {
    this.reads = stateAfter(READ_TRANSITIONS, this.reads, event);
    this.noteChange();
  }

  /** @returns false if that cannot happen to the delivery, which fails the run */
  private note(id: number, step: DeliveryStep): boolean {
    this.noteChange();
    try {
      this.deliveries.note(id, step);
      return true;
    } catch (error) {
      this.failure = { error };
      return false;
    }
  }

  /** Never rejects. */
  private async read(): Promise<void> {
    const range = { inProgress: this.deliveries.ids, after: this.lastRead, limit: this.readLimit };
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
    if (!this.note(delivery.id, 'check')) return;
    void this.check(delivery).then((target) => {
      if (target) this.checked.push({ delivery, target, at: performance.now() });
      this.note(delivery.id, target ? 'passed' : 'stopped');
    });
  }

  /** Never rejects. Without a target, the state of the webhook that was read with its lease is out of date. */
  private async check(delivery: DueDelivery): Promise<DeliveryTarget | undefined> {
    try {
      const target = await preflight(this.context, delivery);
      if (!target) this.isStopped = true;
      return target;
    } catch (error) {
      this.failure = { error };
      return undefined;
    }
  }

  private startAttempt(): void {
    const { delivery, target, at } = this.checked.shift() as CheckedDelivery;
    if (performance.now() > at + MAX_CHECK_AGE_MS) return this.startCheck(delivery);
    if (!this.note(delivery.id, 'attempt')) return;
    const startedAt = performance.now();
    void this.attempt(delivery, target).then((delivered) => {
      this.lastAttemptMs = performance.now() - startedAt;
      this.end(delivery.id, delivered ? 'delivered' : 'failed');
      if (delivered) this.waitForRecord(delivery.id, delivered.recorded);
    });
  }

  /** An attempt or its record has ended: others may be due. */
  private end(id: number, step: DeliveryStep): void {
    this.noteRead('delivery ends');
    this.note(id, step);
  }

  /** Never rejects. @returns the success, which is still to be recorded */
  private async attempt(delivery: DueDelivery, target: DeliveryTarget): Promise<DeliveredAttempt | undefined> {
    try {
      const result = await deliver(this.context, delivery, target);
      switch (result.kind) {
        case 'delivered':
          this.breaker.recordSuccess();
          return result;
        case 'failed':
          this.breaker.recordFailure();
          return undefined;
        case 'paused':
        case 'disabled':
          this.breaker.open();
          return undefined;
        case 'skipped':
        case 'superseded':
          this.isStopped = true;
          return undefined;
        default:
          return result satisfies never;
      }
    } catch (error) {
      this.failure = { error };
      return undefined;
    }
  }

  private waitForRecord(id: number, recorded: Promise<undefined>): void {
    void recorded.catch((error: unknown) => void (this.failure = { error })).then(() => this.end(id, 'recorded'));
  }
}
