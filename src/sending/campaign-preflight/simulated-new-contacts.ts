import type { Schedule } from '../../campaigns/index.js';
import { campaignDay, type NewContactLimit } from '../rules/index.js';

/** What limits the new contacts of an estimated campaign. */
export interface NewContactFacts {
  readonly schedule: Schedule | null;
  /** How many contacts may get their first message on a day; null means any number. */
  readonly max_new_contacts_per_day: number | null;
  /** Those that have got it already, or have a place for it, by day (`YYYY-MM-DD`). */
  readonly reserved: ReadonlyMap<string, number>;
}

/** The first messages of a simulated campaign, by day, in the zone of its schedule. */
export class SimulatedNewContacts {
  private readonly reserved: Map<string, number>;

  constructor(private readonly facts: NewContactFacts) {
    this.reserved = new Map(facts.reserved);
  }

  /** The limit of the messages of a step, by its index; null if they have none. */
  limitOf(step: number): NewContactLimit | null {
    const { schedule, max_new_contacts_per_day: max } = this.facts;
    return step > 0 || max === null ? null : { schedule, max_per_day: max, reserved: this.reserved };
  }

  /** Returns how many messages of a step may be sent on the day of an instant. */
  freeOn(step: number, instant: Date): number {
    const limit = this.limitOf(step);
    return limit ? limit.max_per_day - this.countOn(instant) : Number.POSITIVE_INFINITY;
  }

  /** Counts messages of a step that are sent on the day of an instant. */
  count(step: number, instant: Date, messages: number): void {
    if (this.limitOf(step)) this.reserved.set(this.dayOf(instant), this.countOn(instant) + messages);
  }

  private countOn(instant: Date): number {
    return this.reserved.get(this.dayOf(instant)) ?? 0;
  }

  private dayOf(instant: Date): string {
    return campaignDay(this.facts.schedule, instant);
  }
}
