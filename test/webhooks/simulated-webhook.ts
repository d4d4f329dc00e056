import {
  CircuitBreaker,
  FAILURES_TO_DISABLE,
  openDelay,
  type Random,
  retryDelay,
  type RetrySchedules,
} from '@outreach/webhook-delivery';

/** All times in seconds from the start. */
export interface Scenario {
  readonly schedules: RetrySchedules;
  readonly random: Random;
  /** Events per second, evenly distributed between `from` and `until`. */
  readonly events: { readonly rate: number; readonly from: number; readonly until: number };
  readonly outage: { readonly from: number; readonly until: number };
  /** Duration of a successful attempt. */
  readonly succeeds_in: number;
  /** Duration of a failed attempt. */
  readonly fails_in: number;
  readonly until: number;
}

interface WaitingDelivery {
  readonly due: number;
  readonly attempts: number;
}

interface RunningAttempt extends WaitingDelivery {
  readonly ends: number;
  readonly fails: boolean;
}

const RUN_SECONDS = 5;

/**
 * Simulates deliveries to one webhook with the rules of the engine, but without database, network and clock: time jumps to
 * the next event.
 */
export class SimulatedWebhook {
  now = 0;
  created = 0;
  delivered = 0;
  failed = 0;
  /** Deliveries whose last attempt has failed. */
  given_up = 0;
  is_active = true;
  private failures = 0;
  private pausedUntil = 0;
  /** Sorted by due time. The deliveries before the index `first` have been started. */
  private readonly queue: WaitingDelivery[] = [];
  private first = 0;
  private running: RunningAttempt[] = [];
  private current: { readonly breaker: CircuitBreaker; readonly ends: number } | undefined;

  constructor(private readonly scenario: Scenario) {}

  get lost(): number {
    return this.created - this.delivered - this.given_up - (this.queue.length - this.first) - this.running.length;
  }

  run(): this {
    while (this.now <= this.scenario.until) {
      this.createEvents();
      this.finish();
      this.start();
      const next = this.nextInstant();
      if (next === undefined) break;
      this.now = next;
    }
    return this;
  }

  private createEvents(): void {
    while (this.nextEvent() <= this.now) {
      this.queue.push({ due: this.nextEvent(), attempts: 0 });
      this.created++;
    }
  }

  private nextEvent(): number {
    const { rate, from, until } = this.scenario.events;
    const at = from + this.created / rate;
    return at < until ? at : Infinity;
  }

  private finish(): void {
    const done = this.running.filter(({ ends }) => ends <= this.now);
    this.running = this.running.filter(({ ends }) => ends > this.now);
    for (const attempt of done) {
      if (attempt.fails) this.fail(attempt);
      else this.succeed();
    }
  }

  private succeed(): void {
    this.delivered++;
    this.failures = 0;
    this.pausedUntil = 0;
    this.current?.breaker.recordSuccess();
  }

  private fail({ attempts }: WaitingDelivery): void {
    const { schedules, random } = this.scenario;
    this.failed++;
    this.failures++;
    const retryIn = retryDelay(schedules, { failures: attempts + 1 }, random);
    if (retryIn === undefined) this.given_up++;
    else this.insert({ due: this.now + retryIn, attempts: attempts + 1 });
    const pause = openDelay(schedules, { failures: this.failures }, random);
    this.pausedUntil = this.now + pause;
    if (this.failures >= FAILURES_TO_DISABLE) this.is_active = false;
    if (pause > 0 || !this.is_active) this.current?.breaker.open();
    else this.current?.breaker.recordFailure();
  }

  private start(): void {
    if (this.running.length === 0 && this.runIsDone()) this.current = undefined;
    if (!this.is_active || this.now < this.pausedUntil) return;
    if (!this.current && this.hasDue()) this.current = { breaker: new CircuitBreaker(), ends: this.now + RUN_SECONDS };
    while (this.current && this.mayStart(this.current)) {
      for (const next of this.queue.slice(this.first, ++this.first)) this.attempt(next);
    }
  }

  private runIsDone(): boolean {
    const { current } = this;
    return !current || current.breaker.maxConcurrent === 0 || this.now >= current.ends || !this.hasDue();
  }

  private mayStart({ breaker, ends }: NonNullable<typeof this.current>): boolean {
    return this.now < ends && this.hasDue() && this.running.length < breaker.maxConcurrent;
  }

  private attempt({ due, attempts }: WaitingDelivery): void {
    const { outage, succeeds_in, fails_in } = this.scenario;
    const fails = this.now >= outage.from && this.now < outage.until;
    this.running.push({ due, attempts, fails, ends: this.now + (fails ? fails_in : succeeds_in) });
  }

  private hasDue(): boolean {
    return (this.queue[this.first]?.due ?? Infinity) <= this.now;
  }

  private insert(delivery: WaitingDelivery): void {
    let index = this.first;
    while ((this.queue[index]?.due ?? Infinity) <= delivery.due) index++;
    this.queue.splice(index, 0, delivery);
  }

  private nextInstant(): number | undefined {
    const instants = [this.nextEvent(), ...this.running.map(({ ends }) => ends)];
    const due = this.queue[this.first]?.due;
    if (this.is_active && due !== undefined) instants.push(Math.max(due, this.pausedUntil));
    if (this.current) instants.push(this.current.ends);
    const later = instants.filter((instant) => instant > this.now && instant < Infinity);
    return later.length > 0 ? Math.min(...later) : undefined;
  }
}
