import fc from 'fast-check';
import { earliestInstant, type TimingRule } from './earliest-instant.js';

const MINUTE = 60_000;
const start = new Date('2026-11-23T09:00:00Z');
const after = (minutes: number): Date => new Date(start.getTime() + minutes * MINUTE);

const notBefore = (reason: TimingRule['reason'], minutes: number): TimingRule => ({
  reason,
  next: (instant) => (instant < after(minutes) ? after(minutes) : instant),
});

/** Open during the first `open` minutes of each `period`. */
const recurring = (reason: TimingRule['reason'], period: number, open: number): TimingRule => ({
  reason,
  next: (instant) => {
    const minute = Math.floor((instant.getTime() - start.getTime()) / MINUTE);
    return minute % period < open ? instant : after((Math.floor(minute / period) + 1) * period);
  },
});

describe('the earliest instant of a message', () => {
  it('is the given one, without a reason, if no rule is against it', () => {
    expect(earliestInstant(start, [notBefore('provider_limit', 0)])).toEqual({ at: start, reason: null });
  });

  it('satisfies all rules, and names the one that decided last', () => {
    const rules = [recurring('outside_schedule', 60, 10), notBefore('daily_limit', 30)];
    expect(earliestInstant(start, rules)).toEqual({ at: after(60), reason: 'outside_schedule' });
  });

  it('is not known if a rule waits for a change', () => {
    const never: TimingRule = { reason: 'paused', next: () => null };
    expect(earliestInstant(start, [never])).toEqual({ at: null, reason: 'paused' });
  });

  it('is the first one that all rules allow, for random rules', () => {
    const rule = fc
      .record({ period: fc.integer({ min: 1, max: 30 }), open: fc.integer({ min: 1, max: 30 }) })
      .map(({ period, open }) => recurring('outside_schedule', period, open));
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 3 }), fc.integer({ min: 0, max: 500 }), (rules, minutes) => {
        const allowed = (instant: Date) => rules.every(({ next }) => next(instant)?.getTime() === instant.getTime());
        const { at } = earliestInstant(after(minutes), rules);
        let expected = minutes;
        while (!allowed(after(expected))) expected += 1;
        expect(at).toEqual(after(expected));
      }),
    );
  });
});
