import type { Schedule } from '@outreach/time-windows';
import { campaignDay } from '../campaign-day.js';
import { absenceEnd, isAway } from './absence.js';

const FAR = new Date('2026-05-01T00:00:00Z');
const weekdays = (timezone: string): Schedule => ({ timezone, days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' });

describe('the end of an absence', () => {
  it.each<[string, string, Schedule | null, string]>([
    ['the day after the return, in UTC without a schedule', '2026-03-10', null, '2026-03-11T00:00:00.000Z'],
    ['the start of the window in its zone', '2026-03-10', weekdays('America/New_York'), '2026-03-11T13:00:00.000Z'],
    ['the next day of the schedule', '2026-03-13', weekdays('Europe/Paris'), '2026-03-16T08:00:00.000Z'],
    [
      'a midnight that the clocks skip',
      '2026-04-23',
      { ...weekdays('Africa/Cairo'), start: '00:00' },
      '2026-04-23T22:00:00.000Z',
    ],
  ])('is %s', (_what, day, schedule, expected) => {
    expect(absenceEnd(schedule, { returns_on: day, ends_at: FAR })).toEqual(new Date(expected));
  });

  it('is not later than its limit, except for the next time of the schedule', () => {
    const limit = new Date('2026-03-14T12:00:00Z');
    expect(absenceEnd(null, { returns_on: '2026-12-24', ends_at: limit })).toEqual(limit);
    const monday = new Date('2026-03-16T08:00:00Z');
    expect(absenceEnd(weekdays('Europe/Paris'), { returns_on: '2026-12-24', ends_at: limit })).toEqual(monday);
  });

  it('is the first instant at which the contact is not away', () => {
    for (const schedule of [null, weekdays('Asia/Tokyo'), weekdays('America/Los_Angeles')]) {
      const absence = { returns_on: '2026-03-10', ends_at: FAR };
      const end = absenceEnd(schedule && { ...schedule, start: '00:00' }, absence);
      expect(isAway(schedule, absence, end)).toBe(false);
      expect(isAway(schedule, absence, new Date(end.getTime() - 1))).toBe(true);
      expect(campaignDay(schedule, end)).toBe('2026-03-11');
    }
  });
});
