import { type Campaign, nextSlot, notBefore, type SendingRule } from '../../campaigns/index.js';
import { absenceEnd, type AbsencePeriod, isAway, OUT_OF_OFFICE } from '../absences/index.js';

/** What decides when a campaign may send. */
export type CampaignFacts = Pick<Campaign, 'status' | 'schedule'>;

/** What decides when a contact may be written to. */
export interface ContactFacts {
  readonly absence: AbsencePeriod | null;
  /** It has no value for a required variable of the step. */
  readonly lacks_variable?: boolean;
}

/** The only list of the limits of a campaign that hold for all of its contacts. */
export const campaignRules = ({ status }: CampaignFacts): SendingRule[] =>
  status === 'active' ? [] : [notBefore('paused', null)];

/** The only list of the limits of a campaign for one contact. */
export const contactRules = (
  { schedule }: CampaignFacts,
  { absence, lacks_variable: lacksVariable }: ContactFacts,
): SendingRule[] => [
  ...(lacksVariable ? [notBefore('missing_variable', null)] : []),
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
