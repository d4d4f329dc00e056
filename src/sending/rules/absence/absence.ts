import { nextSlot, type Schedule } from '@outreach/time-windows';
import { DateTime } from 'luxon';
import { campaignDay } from '../campaign-day.js';

/** Why the messages of a contact who is away wait, as the API shows it. */
export const OUT_OF_OFFICE = 'out_of_office';

/** For how many days an absence postpones messages at most. */
export const MAX_ABSENCE_DAYS = 60;

/** How long a contact is away. */
export interface AbsencePeriod {
  /** `YYYY-MM-DD` */
  readonly returns_on: string;
  readonly ends_at: Date;
}

type ZonedSchedule = Schedule | null;

/** Returns whether a campaign with this schedule must not write to the contact at `now`. */
export const isAway = (schedule: ZonedSchedule, absence: AbsencePeriod, now: Date): boolean =>
  absence.returns_on >= campaignDay(schedule, now) && absence.ends_at > now;

/**
 * Returns when a campaign may write to the contact again: at the first time of its schedule after the day on which the
 * contact is back, or after the end of the absence. Without a schedule, days are those of UTC.
 */
export function absenceEnd(schedule: ZonedSchedule, { returns_on: day, ends_at: end }: AbsencePeriod): Date {
  const dayAfter = DateTime.fromISO(day, { zone: schedule?.timezone ?? 'utc' })
    .plus({ days: 1 })
    .startOf('day')
    .toJSDate();
  const first = dayAfter < end ? dayAfter : end;
  return (schedule && nextSlot(schedule, first)) ?? first;
}
