import {
  FAILURES_TO_DISABLE,
  Pace,
  probeDelay,
  type Random,
  retryDelay,
  type Schedules,
} from '../../src/webhooks/delivering/pacing.js';

/** All in seconds from the beginning. */
export interface Scene {
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

const SLICE_SECONDS = 5;

/**
 * A webhook that is delivered to as the engine does it, with its rules and without its database, network and clock: time
 * jumps to the next thing that happens.
 */
export class SimulatedWebhook {
  now = 0;
  raised = 0;
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
  private slice: { readonly pace: Pace; readonly ends: number; isOver: boolean } | undefined;

  constructor(private readonly scene: Scene) {}

  get lost(): number {
    return this.raised - this.delivered - this.given_up - (this.queue.length - this.first) - this.underWay.length;
  }

  run(): this {
    while (this.now <= this.scene.until) {
      this.raise();
      this.finish();
      this.start();
      const next = this.nextInstant();
      if (next === undefined) break;
      this.now = next;
    }
    return this;
  }

  private raise(): void {
    while (this.nextEvent() <= this.now) {
      this.queue.push({ due: this.nextEvent(), attempts: 0 });
      this.raised++;
    }
  }

  private nextEvent(): number {
    const { rate, from, until } = this.scene.events;
    const at = from + this.raised / rate;
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
    this.slice?.pace.succeeded();
  }

  private fail({ attempts }: Waiting): void {
    const { schedules, random } = this.scene;
    this.failed++;
    this.failures++;
    const again = retryDelay(schedules, { failures: attempts + 1 }, random);
    if (again === undefined) this.given_up++;
    else this.insert({ due: this.now + again, attempts: attempts + 1 });
    const pause = probeDelay(schedules, { failures: this.failures }, random);
    this.pausedUntil = this.now + pause;
    if (this.failures >= FAILURES_TO_DISABLE) this.is_active = false;
    if (this.slice) this.slice.isOver ||= pause > 0 || !this.is_active;
    this.slice?.pace.failed();
  }

  private start(): void {
    if (this.underWay.length === 0 && this.sliceIsDone()) this.slice = undefined;
    if (!this.is_active || this.now < this.pausedUntil) return;
    if (!this.slice && this.hasDue()) this.slice = { pace: new Pace(), ends: this.now + SLICE_SECONDS, isOver: false };
    while (this.slice && this.mayStart(this.slice)) {
      for (const next of this.queue.slice(this.first, ++this.first)) this.attempt(next);
    }
  }

  private sliceIsDone(): boolean {
    return !this.slice || this.slice.isOver || this.now >= this.slice.ends || !this.hasDue();
  }

  private mayStart({ pace, ends, isOver }: NonNullable<typeof this.slice>): boolean {
    return !isOver && this.now < ends && this.hasDue() && this.underWay.length < pace.atOnce;
  }

  private attempt({ due, attempts }: Waiting): void {
    const { outage, succeeds_in, fails_in } = this.scene;
    const fails = this.now >= outage.from && this.now < outage.until;
    this.underWay.push({ due, attempts, fails, ends: this.now + (fails ? fails_in : succeeds_in) });
  }

  private hasDue(): boolean {
    return (this.queue[this.first]?.due ?? Infinity) <= this.now;
  }

  private insert(waiting: Waiting): void {
    let place = this.first;
    while ((this.queue[place]?.due ?? Infinity) <= waiting.due) place++;
    this.queue.splice(place, 0, waiting);
  }

  private nextInstant(): number | undefined {
    const instants = [this.nextEvent(), ...this.underWay.map(({ ends }) => ends)];
    const due = this.queue[this.first]?.due;
    if (this.is_active && due !== undefined) instants.push(Math.max(due, this.pausedUntil));
    if (this.slice) instants.push(this.slice.ends);
    const later = instants.filter((instant) => instant > this.now && instant < Infinity);
    return later.length > 0 ? Math.min(...later) : undefined;
  }
}
