import { earliestInstant } from '@outreach/time-windows';
import fc from 'fast-check';
import { dailyLimit, type DailyLimit } from './daily-limit/daily-limit.js';
import { type Gap, minSecondsBetween } from './gap/gap.js';

const at = (text: string): Date => new Date(text);
const instants = fc.date({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z'), noInvalidDate: true });
const gaps = fc.record({
  min_seconds_between: fc.integer({ min: 0, max: 86_400 }),
  gap_begins_at: fc.option(instants),
  gap_random_part: fc.double({ min: 0, max: 0.5, noNaN: true }),
});
const limits = fc.record({
  daily_limit: fc.integer({ min: 1, max: 50 }),
  ramp_start: fc.option(fc.integer({ min: 1, max: 50 })),
  ramp_per_day: fc.integer({ min: 1, max: 10 }),
  ramp_started_on: fc.constant('2026-01-01'),
  ramp_days: fc.integer({ min: 0, max: 20 }),
  counted_on: fc.option(instants.map((instant) => instant.toISOString().slice(0, 10))),
  sent_count: fc.integer({ min: 0, max: 100 }),
});

describe('minSecondsBetween', () => {
  const gap: Gap = { min_seconds_between: 60, gap_begins_at: at('2026-11-23T10:00:00Z'), gap_random_part: 0.5 };

  it('allows the next message when the gap and its random part are over', () => {
    expect(minSecondsBetween(gap).next(at('2026-11-23T10:00:10Z'))).toEqual(at('2026-11-23T10:01:30Z'));
    expect(minSecondsBetween(gap).next(at('2026-11-23T10:01:30Z'))).toEqual(at('2026-11-23T10:01:30Z'));
  });

  it('allows every instant without a gap, and after no message', () => {
    const now = at('2026-11-23T10:00:10Z');
    expect(minSecondsBetween({ ...gap, min_seconds_between: 0 }).next(now)).toBe(now);
    expect(minSecondsBetween({ ...gap, gap_begins_at: null }).next(now)).toBe(now);
  });

  it('waits for the gap at least and for one and a half of it at most, and allows each later instant', () => {
    fc.assert(
      fc.property(gaps, instants, (each, instant) => {
        const next = minSecondsBetween(each).next(instant);
        const begin = each.gap_begins_at?.getTime() ?? -Infinity;
        const milliseconds = each.min_seconds_between * 1_000;
        expect(next).not.toBeNull();
        const found = next?.getTime() ?? 0;
        expect(found).toBeGreaterThanOrEqual(instant.getTime());
        if (milliseconds > 0) expect(found).toBeGreaterThanOrEqual(begin + milliseconds);
        expect(found).toBeLessThanOrEqual(Math.max(instant.getTime(), begin + 1.5 * milliseconds));
        expect(minSecondsBetween(each).next(new Date(found))).toEqual(new Date(found));
      }),
    );
  });
});

describe('dailyLimit', () => {
  const spent: DailyLimit = {
    ...{ daily_limit: 10, ramp_start: null, ramp_per_day: 5, ramp_started_on: null, ramp_days: 0 },
    ...{ counted_on: '2026-12-31', sent_count: 10 },
  };

  it('allows the begin of the next day (UTC) when the limit is reached', () => {
    expect(dailyLimit(spent).next(at('2026-12-31T23:59:59.999Z'))).toEqual(at('2027-01-01T00:00:00Z'));
    expect(dailyLimit({ ...spent, sent_count: 9 }).next(at('2026-12-31T10:00:00Z'))).toEqual(
      at('2026-12-31T10:00:00Z'),
    );
  });

  it('returns the instant itself or the first midnight (UTC) after the counted day', () => {
    fc.assert(
      fc.property(limits, instants, (account, instant) => {
        const next = dailyLimit(account).next(instant);
        if (next?.getTime() === instant.getTime()) return;
        expect(next?.toISOString().slice(10)).toBe('T00:00:00.000Z');
        expect((next?.getTime() ?? 0) - instant.getTime()).toBeLessThanOrEqual(86_400_000);
        expect((account.counted_on ?? '') >= instant.toISOString().slice(0, 10)).toBe(true);
      }),
    );
  });

  it('and the gap have a first common instant, and the one that decides is named', () => {
    fc.assert(
      fc.property(limits, gaps, instants, (account, gap, instant) => {
        const rules = [dailyLimit(account), minSecondsBetween(gap)];
        const { at: found, reason } = earliestInstant(instant, rules);
        expect(found).not.toBeNull();
        for (const rule of rules) expect(rule.next(found ?? instant)).toEqual(found);
        expect(reason === null).toBe(found?.getTime() === instant.getTime());
      }),
    );
  });
});
