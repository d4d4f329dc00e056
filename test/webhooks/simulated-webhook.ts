import {
  FAILURES_TO_DISABLE,
  CircuitBreaker,
  openDelay,
  type Random,
  retryDelay,
  type Schedules,
} from '../../src/webhooks/delivery/circuit-breaker.js';

/** All in seconds from the beginning. */
export interface Scenario {
  readonly schedules: Schedules;
  readonly random: Random;
  /** Events are raised evenly between these, so many a second. */
  readonly events: { readonly rate: number; readonly from: number; readonly until: number };
  readonly outage: { readonly from: number; readonly until: number };
  /** How long a successful attempt takes, and a failing one. */
  readonly succeeds_in: number;
  readonly fails_in: number;
  readonly until: number;
}

interface Waiting {
  readonly due: number;
  readonly attempts: number;
}

interface UnderWay extends Waiting {
  readonly ends: number;
  readonly fails: boolean;
}

const RUN_SECONDS = 5;

/**
 * A webhook that is delivered to as the engine does it, with its rules and without its database, network and clock: time
 * jumps to the next thing that happens.
 */
export class SimulatedWebhook {
  now = 0;
  created = 0;
  delivered = 0;
  failed = 0;
  /** Deliveries that have used up their attempts. */
  given_up = 0;
  is_active = true;
  private failures = 0;
  private pausedUntil = 0;
  /** In the order of their dates; those before `first` have gone. */
  private readonly queue: Waiting[] = [];
  private first = 0;
  private underWay: UnderWay[] = [];
  private current: { readonly breaker: CircuitBreaker; readonly ends: number; isOver: boolean } | undefined;

  constructor(private readonly scenario: Scenario) {}

  get lost(): number {
    return this.created - this.delivered - this.given_up - (this.queue.length - this.first) - this.underWay.length;
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
    const done = this.underWay.filter(({ ends }) => ends <= this.now);
    this.underWay = this.underWay.filter(({ ends }) => ends > this.now);
    for (const attempt of done) {
      if (attempt.fails) this.fail(attempt);
      else this.succeed();
    }
  }

  private succeed(): void {
    this.delivered++;
    this.failures = 0;
    this.pausedUntil = 0;
    this.current?.breaker.succeeded();
  }

  private fail({ attempts }: Waiting): void {
    const { schedules, random } = this.scenario;
    this.failed++;
    this.failures++;
    const retryIn = retryDelay(schedules, { failures: attempts + 1 }, random);
    if (retryIn === undefined) this.given_up++;
    else this.insert({ due: this.now + retryIn, attempts: attempts + 1 });
    const pause = openDelay(schedules, { failures: this.failures }, random);
    this.pausedUntil = this.now + pause;
    if (this.failures >= FAILURES_TO_DISABLE) this.is_active = false;
    if (this.current) this.current.isOver ||= pause > 0 || !this.is_active;
    this.current?.breaker.failed();
  }

  private start(): void {
    if (this.underWay.length === 0 && this.runIsDone()) this.current = undefined;
    if (!this.is_active || this.now < this.pausedUntil) return;
    if (!this.current && this.hasDue())
      this.current = { breaker: new CircuitBreaker(), ends: this.now + RUN_SECONDS, isOver: false };
    while (this.current && this.mayStart(this.current)) {
      for (const next of this.queue.slice(this.first, ++this.first)) this.attempt(next);
    }
  }

  private runIsDone(): boolean {
    return !this.current || this.current.isOver || this.now >= this.current.ends || !this.hasDue();
  }

  private mayStart({ breaker, ends, isOver }: NonNullable<typeof this.current>): boolean {
    return !isOver && this.now < ends && this.hasDue() && this.underWay.length < breaker.concurrency;
  }

  private attempt({ due, attempts }: Waiting): void {
    const { outage, succeeds_in, fails_in } = this.scenario;
    const fails = this.now >= outage.from && this.now < outage.until;
    this.underWay.push({ due, attempts, fails, ends: this.now + (fails ? fails_in : succeeds_in) });
  }

  private hasDue(): boolean {
    return (this.queue[this.first]?.due ?? Infinity) <= this.now;
  }

  private insert(waiting: Waiting): void {
    let index = this.first;
    while ((this.queue[index]?.due ?? Infinity) <= waiting.due) index++;
    this.queue.splice(index, 0, waiting);
  }

  private nextInstant(): number | undefined {
    const instants = [this.nextEvent(), ...this.underWay.map(({ ends }) => ends)];
    const due = this.queue[this.first]?.due;
    if (this.is_active && due !== undefined) instants.push(Math.max(due, this.pausedUntil));
    if (this.current) instants.push(this.current.ends);
    const later = instants.filter((instant) => instant > this.now && instant < Infinity);
    return later.length > 0 ? Math.min(...later) : undefined;
  }
}
