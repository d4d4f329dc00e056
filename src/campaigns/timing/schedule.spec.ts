import fc from 'fast-check';
import { DateTime } from 'luxon';
import { insideSchedule, nextSlot, type Schedule } from './schedule.js';

const office: Schedule = { timezone: 'Europe/Paris', days: [1, 2, 3, 4, 5], start: '09:00', end: '18:00' };
const at = (text: string): Date => new Date(text);
const slot = (schedule: Schedule, text: string): string => nextSlot(schedule, at(text)).toISOString();

describe('insideSchedule', () => {
  it('includes the start and excludes the end', () => {
    expect(insideSchedule(office, at('2026-11-23T07:59:59.999Z'))).toBe(false);
    expect(insideSchedule(office, at('2026-11-23T08:00:00.000Z'))).toBe(true);
    expect(insideSchedule(office, at('2026-11-23T16:59:59.999Z'))).toBe(true);
    expect(insideSchedule(office, at('2026-11-23T17:00:00.000Z'))).toBe(false);
  });

  it('uses the weekday of the time zone, not that of UTC', () => {
    const monday: Schedule = { timezone: 'Pacific/Auckland', days: [1], start: '08:00', end: '09:00' };
    expect(insideSchedule(monday, at('2026-11-22T19:30:00Z'))).toBe(true);
    expect(insideSchedule(monday, at('2026-11-23T19:30:00Z'))).toBe(false);
  });

  it('includes both occurrences of a repeated hour, and no instant of a skipped one', () => {
    const night: Schedule = { timezone: 'Europe/Paris', days: [7], start: '02:00', end: '03:00' };
    const open = (text: string): boolean => insideSchedule(night, at(text));
    // In October 02:00 to 03:00 occurs from 00:00 to 02:00 UTC.
    expect(['2026-10-24T23:59:59.999Z', '2026-10-25T00:00:00Z', '2026-10-25T01:59:59.999Z'].map(open)).toEqual([
      false,
      true,
      true,
    ]);
    expect(open('2026-10-25T02:00:00Z')).toBe(false);
    // In March 01:59 is followed by 03:00.
    expect(['2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00Z'].map(open)).toEqual([false, false]);
  });

  it('counts Sunday as day 7, also before 1970', () => {
    const sunday: Schedule = { timezone: 'UTC', days: [7], start: '00:00', end: '23:59' };
    expect(insideSchedule(sunday, at('2026-11-22T12:00:00Z'))).toBe(true);
    expect(insideSchedule(sunday, at('1969-12-28T12:00:00Z'))).toBe(true);
    expect(insideSchedule(sunday, at('1969-12-29T12:00:00Z'))).toBe(false);
  });
});

describe('nextSlot', () => {
  it('returns the instant itself if it is inside the schedule', () => {
    expect(slot(office, '2026-11-23T10:11:12.345Z')).toBe('2026-11-23T10:11:12.345Z');
  });

  it('returns the start of the same day if that is later', () => {
    expect(slot(office, '2026-11-23T03:00:00Z')).toBe('2026-11-23T08:00:00.000Z');
  });

  it('returns the start of the next allowed day after the end', () => {
    expect(slot(office, '2026-11-23T17:00:00Z')).toBe('2026-11-24T08:00:00.000Z');
    expect(slot(office, '2026-11-27T17:00:00Z')).toBe('2026-11-30T08:00:00.000Z');
  });

  it('returns the start a week later after the end of the only allowed day', () => {
    const monday: Schedule = { ...office, days: [1] };
    expect(slot(monday, '2026-11-23T17:00:00Z')).toBe('2026-11-30T08:00:00.000Z');
  });

  it('returns the same local time after a change of daylight saving time', () => {
    expect(slot(office, '2026-03-27T18:00:00Z')).toBe('2026-03-30T07:00:00.000Z');
    expect(slot(office, '2026-10-23T18:00:00Z')).toBe('2026-10-26T08:00:00.000Z');
  });

  describe('on the day when daylight saving time begins (02:00 becomes 03:00)', () => {
    const sunday = { timezone: 'Europe/Paris', days: [7] };

    it('returns the first instant after the skipped hour if the start is skipped', () => {
      expect(slot({ ...sunday, start: '02:30', end: '05:00' }, '2026-03-28T23:00:00Z')).toBe(
        '2026-03-29T01:00:00.000Z',
      );
    });

    it('returns the start a week later if the whole window is skipped', () => {
      expect(slot({ ...sunday, start: '02:15', end: '02:45' }, '2026-03-28T23:00:00Z')).toBe(
        '2026-04-05T00:15:00.000Z',
      );
    });
  });

  describe('on the day when daylight saving time ends (03:00 becomes 02:00)', () => {
    const sunday: Schedule = { timezone: 'Europe/Paris', days: [7], start: '02:15', end: '02:45' };

    it('returns the first occurrence of a repeated start', () => {
      expect(slot(sunday, '2026-10-24T23:00:00Z')).toBe('2026-10-25T00:15:00.000Z');
    });

    it('returns the second occurrence after the end of the first', () => {
      expect(slot(sunday, '2026-10-25T00:50:00Z')).toBe('2026-10-25T01:15:00.000Z');
    });

    it('returns the start a week later after the second occurrence', () => {
      expect(slot(sunday, '2026-10-25T01:45:00Z')).toBe('2026-11-01T01:15:00.000Z');
    });
  });

  it('skips a local date that does not exist (Samoa, 2011-12-30)', () => {
    const samoa: Schedule = { timezone: 'Pacific/Apia', days: [5], start: '09:00', end: '18:00' };
    expect(slot(samoa, '2011-12-30T09:30:00Z')).toBe('2012-01-05T19:00:00.000Z');
  });

  describe('for random schedules and instants', () => {
    const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
    const clock = (minutes: number): string =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    const schedules = fc
      .record({
        timezone: fc.constantFrom(...zones),
        days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        opening: fc.integer({ min: 0, max: 1438 }),
        length: fc.integer({ min: 1, max: 1439 }),
      })
      .map(({ timezone, days, opening, length }): Schedule => {
        return { timezone, days, start: clock(opening), end: clock(Math.min(opening + length, 1439)) };
      });
    const instants = fc.date({ min: at('2010-01-01T00:00:00Z'), max: at('2036-01-01T00:00:00Z'), noInvalidDate: true });

    it('returns an instant inside the schedule and not before the given one', () => {
      fc.assert(
        fc.property(schedules, instants, (schedule, instant) => {
          const found = nextSlot(schedule, instant);
          const local = DateTime.fromJSDate(found, { zone: schedule.timezone });
          expect(found.getTime()).toBeGreaterThanOrEqual(instant.getTime());
          expect(schedule.days).toContain(local.weekday);
          expect(local.toFormat('HH:mm') >= schedule.start && local.toFormat('HH:mm') < schedule.end).toBe(true);
        }),
      );
    });

    it('returns the first such instant', () => {
      fc.assert(
        fc.property(schedules, instants, fc.double({ min: 0, max: 1, noNaN: true }), (schedule, instant, share) => {
          const found = nextSlot(schedule, instant).getTime();
          const between = instant.getTime() + Math.floor((found - instant.getTime()) * share);
          if (between < found) expect(insideSchedule(schedule, new Date(between))).toBe(false);
        }),
      );
    });

    it('returns the same slot for its own instant and for the millisecond before it', () => {
      fc.assert(
        fc.property(schedules, instants, (schedule, instant) => {
          const found = nextSlot(schedule, instant);
          expect(nextSlot(schedule, found)).toEqual(found);
          if (found > instant) expect(nextSlot(schedule, new Date(found.getTime() - 1))).toEqual(found);
        }),
      );
    });
  });
});
