import fc from 'fast-check';
import { DateTime } from 'luxon';
import { insideSchedule, nextSlot, type Schedule, scheduleFor } from './schedule.js';

const office: Schedule = { timezone: 'Europe/Paris', days: [1, 2, 3, 4, 5], start: '09:00', end: '18:00' };
const at = (text: string): Date => new Date(text);
const slot = (schedule: Schedule, text: string): string | undefined => nextSlot(schedule, at(text))?.toISOString();

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

  it('leaves out holidays, also all of them for years', () => {
    expect(slot({ ...office, holidays: ['2026-11-24', '2026-11-25'] }, '2026-11-23T17:00:00Z')).toBe(
      '2026-11-26T08:00:00.000Z',
    );
    const mondays = Array.from({ length: 400 }, (_, week) =>
      DateTime.fromISO('2026-11-23').plus({ weeks: week }).toFormat('yyyy-MM-dd'),
    );
    const monday: Schedule = { ...office, days: [1], holidays: mondays };
    expect(slot(monday, '2026-11-20T00:00:00Z')).toBe('2034-07-24T07:00:00.000Z');
    expect(slot(monday, '2026-11-23T08:30:00Z')).toBe('2034-07-24T07:00:00.000Z');
  });

  it('returns null if there is no window', () => {
    expect(nextSlot({ ...office, days: [] }, at('2026-11-23T08:30:00Z'))).toBeNull();
    expect(nextSlot({ ...office, timezone: 'Mars/Base' }, at('2026-11-23T08:30:00Z'))).toBeNull();
  });

  it('finds the second occurrence of the last window before a year of holidays', () => {
    const days = Array.from({ length: 51 }, (_, week) =>
      DateTime.fromISO('2026-11-01').plus({ weeks: week }).toFormat('yyyy-MM-dd'),
    );
    const sunday: Schedule = { timezone: 'Europe/Paris', days: [7], start: '02:15', end: '02:45', holidays: days };
    expect(slot(sunday, '2026-10-25T00:50:00Z')).toBe('2026-10-25T01:15:00.000Z');
    expect(slot(sunday, '2026-10-25T01:45:00Z')).toBe('2027-10-24T00:15:00.000Z');
  });

  describe('with a window over midnight', () => {
    const night: Schedule = { timezone: 'Europe/Paris', days: [5], start: '22:00', end: '06:00' };
    const open = (text: string, schedule = night): boolean => insideSchedule(schedule, at(text));

    it('includes the morning after the day on which it begins, and no other', () => {
      expect(open('2026-11-27T20:59:59.999Z')).toBe(false);
      expect(open('2026-11-27T21:00:00Z')).toBe(true);
      expect(open('2026-11-28T04:59:59.999Z')).toBe(true);
      expect(open('2026-11-28T05:00:00Z')).toBe(false);
      expect(open('2026-11-27T04:00:00Z')).toBe(false);
      expect(open('2026-11-28T21:00:00Z')).toBe(false);
    });

    it('leaves out a window that begins on a holiday whole, and lets one that began before run on', () => {
      const week = { ...night, days: [1, 2, 3, 4, 5, 6, 7] };
      const friday = { ...week, holidays: ['2026-11-27'] };
      expect(open('2026-11-27T04:00:00Z', friday)).toBe(true);
      expect(open('2026-11-27T21:00:00Z', friday)).toBe(false);
      expect(open('2026-11-28T04:00:00Z', friday)).toBe(false);
      expect(slot(friday, '2026-11-27T05:00:00Z')).toBe('2026-11-28T21:00:00.000Z');
    });

    it('ends at midnight if its end is 00:00', () => {
      const evening = { ...night, end: '00:00' };
      expect(open('2026-11-27T22:59:59.999Z', evening)).toBe(true);
      expect(open('2026-11-27T23:00:00Z', evening)).toBe(false);
    });

    it('is open twice in the repeated hour in which it ends', () => {
      const saturday = { ...night, days: [6], end: '02:30' };
      expect(slot(saturday, '2026-10-25T00:30:00Z')).toBe('2026-10-25T01:00:00.000Z');
      expect(slot(saturday, '2026-10-25T01:30:00Z')).toBe('2026-10-31T21:00:00.000Z');
    });
  });

  describe('for random schedules and instants', () => {
    const zones = [
      ...['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'],
      // Zones whose clocks change at midnight, or twice around Ramadan.
      ...['America/Santiago', 'Africa/Cairo', 'Asia/Beirut', 'Africa/Casablanca'],
    ];
    const from = Date.parse('2024-01-01T00:00:00Z');
    const clock = (minutes: number): string =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    const date = fc.integer({ min: 0, max: 730 }).map((day) => new Date(from + day * 86_400_000));
    /** Up to 60 days in a row, so that a window may be weeks away. */
    const holidays = fc
      .record({ first: date, count: fc.integer({ min: 0, max: 60 }) })
      .map(({ first, count }) =>
        Array.from({ length: count }, (_, day) =>
          new Date(first.getTime() + day * 86_400_000).toISOString().slice(0, 10),
        ),
      );
    const schedules = fc
      .record({
        timezone: fc.constantFrom(...zones),
        days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        start: fc.integer({ min: 0, max: 1439 }),
        length: fc.integer({ min: 1, max: 1439 }),
        holidays,
      })
      .map(({ start, length, ...other }): Schedule => {
        return { ...other, start: clock(start), end: clock((start + length) % 1440) };
      });
    const instants = fc.date({ min: new Date(from), max: at('2026-01-01T00:00:00Z'), noInvalidDate: true });
    const slotOf = (schedule: Schedule, instant: Date): Date => {
      const found = nextSlot(schedule, instant);
      if (!found) throw new Error('Each of these schedules has a window.');
      return found;
    };

    /** The definition: a window begins on an allowed day, and ends on that day or the next one, by local times. */
    const isInWindow = ({ timezone, days, start, end, holidays: off = [] }: Schedule, instant: Date): boolean => {
      const local = DateTime.fromJSDate(instant, { zone: timezone });
      const time = local.toFormat('HH:mm');
      const today = DateTime.utc(local.year, local.month, local.day);
      const begins = (day: DateTime): boolean =>
        days.includes(day.weekday) && !off.includes(day.toFormat('yyyy-MM-dd'));
      if (end > start) return begins(today) && time >= start && time < end;
      return (begins(today) && time >= start) || (begins(today.minus({ days: 1 })) && time < end);
    };

    it('agree with the definition of a window', () => {
      fc.assert(
        fc.property(schedules, instants, (schedule, instant) => {
          expect(insideSchedule(schedule, instant)).toBe(isInWindow(schedule, instant));
        }),
      );
    });

    it('returns an instant inside the schedule and not before the given one', () => {
      fc.assert(
        fc.property(schedules, instants, (schedule, instant) => {
          const found = slotOf(schedule, instant);
          expect(found.getTime()).toBeGreaterThanOrEqual(instant.getTime());
          expect(isInWindow(schedule, found)).toBe(true);
        }),
      );
    });

    it('returns the first such instant', () => {
      fc.assert(
        fc.property(schedules, instants, fc.double({ min: 0, max: 1, noNaN: true }), (schedule, instant, share) => {
          const found = slotOf(schedule, instant).getTime();
          const between = instant.getTime() + Math.floor((found - instant.getTime()) * share);
          if (between < found) expect(isInWindow(schedule, new Date(between))).toBe(false);
          if (found > instant.getTime()) expect(isInWindow(schedule, new Date(found - 1))).toBe(false);
        }),
      );
    });

    it('returns the first minute that is open, around both changes of daylight saving time', () => {
      const changes = ['2024-03-31T00:00:00Z', '2024-10-27T00:00:00Z', '2024-03-10T05:00:00Z', '2024-09-08T03:00:00Z'];
      const near = fc
        .record({ change: fc.constantFrom(...changes), minutes: fc.integer({ min: -1500, max: 300 }) })
        .map(({ change, minutes }) => new Date(Date.parse(change) + minutes * 60_000));
      const daily = schedules.map((schedule): Schedule => ({ ...schedule, days: [1, 2, 3, 4, 5, 6, 7], holidays: [] }));
      fc.assert(
        fc.property(daily, near, (schedule, instant) => {
          let minute = instant.getTime();
          while (!isInWindow(schedule, new Date(minute))) minute += 60_000;
          expect(slotOf(schedule, instant)).toEqual(new Date(minute));
        }),
      );
    });

    it('returns the same slot for its own instant and for the millisecond before it', () => {
      fc.assert(
        fc.property(schedules, instants, (schedule, instant) => {
          const found = slotOf(schedule, instant);
          expect(slotOf(schedule, found)).toEqual(found);
          if (found > instant) expect(slotOf(schedule, new Date(found.getTime() - 1))).toEqual(found);
        }),
      );
    });
  });
});

describe('the schedule for a contact', () => {
  const own: Schedule = { ...office, contact_timezone: true };

  it('is in the zone of the contact, if the schedule says so and the zone is known', () => {
    expect(scheduleFor(own, 'Asia/Tokyo').timezone).toBe('Asia/Tokyo');
    expect([scheduleFor(own, null), scheduleFor(own, 'Mars/Base')]).toEqual([own, own]);
    expect(scheduleFor(office, 'Asia/Tokyo')).toBe(office);
  });
});
