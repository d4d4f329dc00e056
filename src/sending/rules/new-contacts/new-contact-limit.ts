import type { Schedule, TimingRule } from '@outreach/time-windows';
import { campaignDay, campaignSlot, nextCampaignDay } from '../campaign-day.js';

/** Why a first message waits whose campaign has reached its limit of new contacts, as the API shows it. */
export const MAX_NEW_CONTACTS_REASON = 'max_new_contacts';

/** How many contacts may get their first message of a campaign, and how many of these are reserved. */
export interface NewContactLimit {
  readonly schedule: Schedule | null;
  readonly max_per_day: number;
  /** The reserved ones by day, as `YYYY-MM-DD`; 0 if a day is missing. */
  readonly reserved: Readonly<Record<string, number>>;
}

/** The rule for the first message to a contact: the next time of the schedule on a day that is not full. */
export const newContactsRule = ({
  schedule,
  max_per_day: max,
  reserved,
}: NewContactLimit): TimingRule<typeof MAX_NEW_CONTACTS_REASON> => ({
  reason: MAX_NEW_CONTACTS_REASON,
  next: (instant) => {
    let next: Date | null = instant;
    while (next && (reserved[campaignDay(schedule, next)] ?? 0) >= max)
      next = campaignSlot(schedule, nextCampaignDay(schedule, next));
    return next;
  },
});
