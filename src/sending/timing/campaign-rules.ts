import {
  type Campaign,
  type LastMessage,
  lastMessageRule,
  type NewContactLimit,
  newContactsRule,
  nextSlot,
  notBefore,
  type Schedule,
  scheduleFor,
  type SendingRule,
  type WaitReason,
} from '../../campaigns/index.js';
import { absenceEnd, type AbsencePeriod, isAway, OUT_OF_OFFICE } from '../absences/index.js';

/** What decides when a campaign may send. */
export type CampaignFacts = Pick<Campaign, 'status' | 'schedule' | 'min_days_since_last_message'>;

/** What decides when a contact may be written to. */
export interface ContactFacts {
  readonly absence: AbsencePeriod | null;
  /** Its own time zone. */
  readonly timezone: string | null;
  /** It has no value for a required variable of the step. */
  readonly lacks_variable?: boolean;
  /** The limit of new contacts, unless the message has a place among them or needs none. */
  readonly new_contacts?: NewContactLimit | null;
  /** The last message to it; needed only if the campaign leaves days between two messages to a contact. */
  readonly last_message?: LastMessage | undefined;
}

/** The only list of the limits of a campaign that hold for all of its contacts. */
export const campaignRules = ({ status }: CampaignFacts): SendingRule[] =>
  status === 'active' ? [] : [notBefore('paused', null)];

/** The only list of the limits of a campaign for one contact. An absence ends in the zone of the schedule. */
export const contactRules = (
  { schedule, min_days_since_last_message: minDays }: CampaignFacts,
  { absence, timezone, lacks_variable: lacksVariable, new_contacts: limit, last_message: last }: ContactFacts,
): readonly SendingRule[] => [
  ...(lacksVariable ? [notBefore('missing_variable', null)] : []),
  ...(absence ? [awayRule(schedule, absence)] : []),
  ...(minDays !== null && last ? [lastMessageRule(minDays, last, schedule && scheduleFor(schedule, timezone))] : []),
  ...(schedule ? [scheduleRule(scheduleFor(schedule, timezone))] : []),
  ...(limit ? [newContactsRule(limit)] : []),
];

const awayRule = (schedule: Schedule | null, absence: AbsencePeriod): SendingRule => ({
  reason: OUT_OF_OFFICE,
  next: (instant) => (isAway(schedule, absence, instant) ? absenceEnd(schedule, absence) : instant),
});

const scheduleRule = (schedule: Schedule): SendingRule => ({
  reason: 'outside_schedule',
  next: (instant) => nextSlot(schedule, instant),
});

/**
 * The reasons of messages that wait for their contact alone, or for another day of new contacts, so that they must not delay
 * those to other contacts.
 */
export const contactReasons = ({
  schedule,
}: {
  readonly schedule: Pick<Schedule, 'contact_timezone'> | null;
}): readonly WaitReason[] => [
  OUT_OF_OFFICE,
  'max_new_contacts',
  'min_days_since_last_message',
  ...(schedule?.contact_timezone ? (['outside_schedule'] as const) : []),
];
