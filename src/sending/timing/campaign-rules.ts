import { type Campaign, nextSlot, notBefore, type SendingRule } from '../../campaigns/index.js';
import { absenceEnd, type AbsencePeriod, isAway, OUT_OF_OFFICE } from '../absences/index.js';

/** What decides when a campaign may send. */
export type CampaignFacts = Pick<Campaign, 'status' | 'schedule'>;

/** What decides when a contact may be written to. */
export interface ContactFacts {
  readonly absence: AbsencePeriod | null;
}

/** The only list of the limits of a campaign that hold for all of its contacts. */
export const campaignRules = ({ status }: CampaignFacts): SendingRule[] =>
  status === 'active' ? [] : [notBefore('paused', null)];

/** The only list of the limits of a campaign for one contact. */
export const contactRules = ({ schedule }: CampaignFacts, { absence }: ContactFacts): SendingRule[] => [
  ...(absence
    ? [
        {
          reason: OUT_OF_OFFICE,
          next: (instant: Date) => (isAway(schedule, absence, instant) ? absenceEnd(schedule, absence) : instant),
        } satisfies SendingRule,
      ]
    : []),
  ...(schedule
    ? [{ reason: 'outside_schedule', next: (instant: Date) => nextSlot(schedule, instant) } satisfies SendingRule]
    : []),
];
