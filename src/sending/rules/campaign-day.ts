import { nextSlot, type Schedule } from '@outreach/time-windows';
import { DateTime } from 'luxon';

/** What a campaign's days depend on. */
type Zoned = Pick<Schedule, 'timezone'> | null;

const local = (schedule: Zoned, instant: Date): DateTime =>
  DateTime.fromJSDate(instant, { zone: schedule?.timezone ?? 'utc' });

/** Returns the day of an instant in the zone of a campaign's schedule, else in UTC, as `YYYY-MM-DD`. */
export const campaignDay = (schedule: Zoned, instant: Date): string => local(schedule, instant).toFormat('yyyy-MM-dd');

/** Returns the first instant of the day of an instant in the zone of a campaign's schedule, else in UTC. */
export const campaignDayStart = (schedule: Zoned, instant: Date): Date =>
  local(schedule, instant).startOf('day').toJSDate();

/** Returns the first instant of the next day in the zone of a campaign's schedule, else in UTC. */
export const nextCampaignDay = (schedule: Zoned, instant: Date): Date =>
  local(schedule, instant).plus({ days: 1 }).startOf('day').toJSDate();

/**
 * Returns the first time, not before an instant, at which a campaign may send to any contact; null if there is none. The
 * windows of contacts with a time zone of their own are open at any time.
 */
export const campaignSlot = (schedule: Schedule | null, instant: Date): Date | null =>
  schedule && !schedule.contact_timezone ? nextSlot(schedule, instant) : instant;
