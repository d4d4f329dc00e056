import type { Campaign } from '../../../campaigns/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { campaignDay } from '../campaign-day.js';
import type { SimulatedLimit } from '../rule.js';
import type { NewContactLimit } from './new-contact-limit.js';
import { reservedNewContacts } from './new-contacts.queries.js';

interface FirstMessageFacts {
  readonly new_contacts?: Omit<NewContactLimit, 'schedule'>;
}

/** The first messages of a simulated campaign, by day, in the zone of its schedule. */
export class SimulatedNewContacts implements SimulatedLimit<FirstMessageFacts> {
  private readonly reserved: Record<string, number>;

  constructor(private readonly limit: NewContactLimit) {
    this.reserved = { ...limit.reserved };
  }

  factsOf(step: number): FirstMessageFacts {
    return step > 0 ? {} : { new_contacts: { max_per_day: this.limit.max_per_day, reserved: this.reserved } };
  }

  freeOn(step: number, instant: Date): number {
    return step > 0 ? Number.POSITIVE_INFINITY : this.limit.max_per_day - this.countOn(instant);
  }

  count(step: number, instant: Date, messages: number): void {
    if (step === 0) this.reserved[this.dayOf(instant)] = this.countOn(instant) + messages;
  }

  private countOn(instant: Date): number {
    return this.reserved[this.dayOf(instant)] ?? 0;
  }

  private dayOf(instant: Date): string {
    return campaignDay(this.limit.schedule, instant);
  }
}

/** Simulates the limit of a campaign that has one. */
export async function simulateNewContacts(
  scope: WorkspaceScope,
  { id, schedule, max_new_contacts_per_day: max }: Campaign,
): Promise<SimulatedNewContacts | undefined> {
  if (max === null) return undefined;
  return new SimulatedNewContacts({ schedule, max_per_day: max, reserved: await reservedNewContacts(scope, id) });
}
