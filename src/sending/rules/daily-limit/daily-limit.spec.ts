import fc from 'fast-check';
import { afterClaim, type DailyLimit, effectiveLimit, remainingOn } from './daily-limit.js';

const DAY_MS = 86_400_000;
const FIRST = '2026-11-23';
const dayAfter = (days: number): string => new Date(Date.parse(FIRST) + days * DAY_MS).toISOString().slice(0, 10);

const account = (changes: Partial<DailyLimit> = {}): DailyLimit => ({
  daily_limit: 500,
  ramp_start: 20,
  ramp_per_day: 5,
  ramp_started_on: FIRST,
  ramp_days: 0,
  counted_on: null,
  sent_count: 0,
  ...changes,
});
const limitsOf = fc.record({
  daily_limit: fc.integer({ min: 1, max: 10_000 }),
  ramp_start: fc.integer({ min: 1, max: 10_000 }),
  ramp_per_day: fc.integer({ min: 1, max: 1_000 }),
});
/** Days with messages, counted from the first one of the ramp; the ones before it do not count. */
const daysOf = fc
  .uniqueArray(fc.integer({ min: -5, max: 60 }), { maxLength: 40 })
  .map((days) => days.sort((a, b) => a - b));

describe('effectiveLimit', () => {
  it('is the daily limit without a ramp', () => {
    expect(effectiveLimit(account({ ramp_start: null }), FIRST)).toBe(500);
  });

  it('grows by ramp_per_day after each day with messages, up to the daily limit', () => {
    let state = account({ daily_limit: 28 });
    const limits = [0, 1, 2, 3].map((day) => {
      const limit = effectiveLimit(state, dayAfter(day));
      state = afterClaim(state, dayAfter(day), 1);
      return limit;
    });
    expect(limits).toEqual([20, 25, 28, 28]);
  });

  it('does not grow on days without messages', () => {
    const sent = afterClaim(account(), FIRST, 3);
    expect([1, 2, 30].map((day) => effectiveLimit(sent, dayAfter(day)))).toEqual([25, 25, 25]);
    expect([1, 2, 30].map((day) => effectiveLimit(account(), dayAfter(day)))).toEqual([20, 20, 20]);
  });

  it('is min(daily_limit, ramp_start + n × ramp_per_day) after n days with messages, whatever their order and number', () => {
    fc.assert(
      fc.property(limitsOf, daysOf, fc.integer({ min: 1, max: 5 }), (limits, days, claims) => {
        let state = account(limits);
        for (const [index, day] of days.entries()) {
          const n = days.slice(0, index).filter((earlier) => earlier >= 0).length;
          const expected = Math.min(limits.daily_limit, limits.ramp_start + n * limits.ramp_per_day);
          if (day < 0) state = { ...afterClaim(state, dayAfter(day), 1), ramp_days: 0 };
          else
            for (let claim = 0; claim < claims; claim++) {
              expect(effectiveLimit(state, dayAfter(day))).toBe(expected);
              state = afterClaim(state, dayAfter(day), 1);
            }
        }
      }),
    );
  });

  it('is never exceeded by claims that take what remains', () => {
    fc.assert(
      fc.property(
        limitsOf,
        daysOf,
        fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 8 }),
        (limits, days, sizes) => {
          let state = account(limits);
          for (const day of days.filter((each) => each >= 0).map(dayAfter)) {
            let sent = 0;
            for (const size of sizes) {
              const claimed = Math.min(size, remainingOn(state, day));
              if (claimed > 0) state = afterClaim(state, day, claimed);
              sent += claimed;
            }
            expect(sent).toBeLessThanOrEqual(effectiveLimit(state, day));
            expect(remainingOn(state, day)).toBe(effectiveLimit(state, day) - sent);
          }
        },
      ),
    );
  });
});
