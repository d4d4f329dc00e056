import { earliestInstant, nextSlot, type Schedule } from '@outreach/time-windows';
import fc from 'fast-check';
import { campaignDay, nextCampaignDay } from '../campaign-day.js';
import { newContactsRule } from './new-contact-limit.js';

const at = (text: string): Date => new Date(text);
const office: Schedule = { timezone: 'Europe/Paris', days: [1, 2, 3, 4, 5], start: '09:00', end: '18:00' };
const zoned = (timezone: string): Schedule => ({ timezone, days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '23:59' });

describe('the day of new contacts', () => {
  it('is that of the zone of the schedule, else of UTC', () => {
    expect(campaignDay(office, at('2026-11-22T23:30:00Z'))).toBe('2026-11-23');
    expect(campaignDay(null, at('2026-11-22T23:30:00Z'))).toBe('2026-11-22');
  });

  it('is followed by the next one at the first instant that the zone has of it', () => {
    expect(nextCampaignDay(office, at('2026-11-23T10:00:00Z'))).toEqual(at('2026-11-23T23:00:00Z'));
    // Beirut goes from 23:59 to 01:00.
    expect(nextCampaignDay(zoned('Asia/Beirut'), at('2026-03-28T12:00:00Z'))).toEqual(at('2026-03-28T22:00:00Z'));
  });
});

describe('the limit of new contacts', () => {
  const rule = (reserved: Record<string, number>, schedule: Schedule | null = null) =>
    newContactsRule({ schedule, max_per_day: 10, reserved });

  it('allows any instant of a day that is not full', () => {
    expect(rule({ '2026-11-23': 9 }).next(at('2026-11-23T10:00:00Z'))).toEqual(at('2026-11-23T10:00:00Z'));
  });

  it('waits for the first day that is not full', () => {
    const full = rule({ '2026-11-23': 10, '2026-11-24': 11, '2026-11-25': 9 });
    expect(full.next(at('2026-11-23T10:00:00Z'))).toEqual(at('2026-11-25T00:00:00Z'));
  });

  it('waits, together with a schedule, for the next window of a day that is not full', () => {
    const rules = [
      { reason: 'outside_schedule', next: (instant: Date) => nextSlot(office, instant) },
      rule({ '2026-11-27': 10 }, office),
    ];
    expect(earliestInstant(at('2026-11-27T10:00:00Z'), rules)).toEqual({
      at: at('2026-11-30T08:00:00Z'),
      reason: 'max_new_contacts',
    });
  });

  it('returns the first instant whose day has a place, for random days and zones', () => {
    const zone = fc.constantFrom('UTC', 'Europe/Paris', 'America/St_Johns', 'Pacific/Auckland', 'Asia/Kathmandu');
    const instant = fc.date({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z'), noInvalidDate: true });
    const counts = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 10 });
    fc.assert(
      fc.property(zone, instant, counts, (timezone, from, reservations) => {
        const schedule = zoned(timezone);
        const reserved: Record<string, number> = {};
        let day = from;
        for (const count of reservations) {
          reserved[campaignDay(schedule, day)] = count;
          day = nextCampaignDay(schedule, day);
        }
        const found = newContactsRule({ schedule, max_per_day: 10, reserved }).next(from) ?? at('1970-01-01');
        const count = (instant: Date) => reserved[campaignDay(schedule, instant)] ?? 0;
        expect(count(found)).toBeLessThan(10);
        expect(found.getTime()).toBeGreaterThanOrEqual(from.getTime());
        if (found > from) expect(count(new Date(found.getTime() - 1))).toBeGreaterThanOrEqual(10);
      }),
    );
  });
});
