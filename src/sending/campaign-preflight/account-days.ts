import { afterClaim, effectiveLimit, remainingOn, utcDay } from '../../email-accounts/index.js';
import type { AccountFacts } from '../timing/index.js';

export { afterClaim, effectiveLimit, remainingOn, utcDay };

/** A gap is up to half as long again at random. */
const MEAN_RANDOM_PART = 0.25;

/** The gap between two messages of an account on average, in milliseconds. */
export const meanGap = ({ min_seconds_between: seconds }: AccountFacts): number =>
  seconds * 1_000 * (1 + MEAN_RANDOM_PART);

/** Returns an account after so many messages on a day, of which the last one was sent at an instant. */
export const afterSending = (
  account: AccountFacts,
  { at, day, count }: { readonly at: Date; readonly day: string; readonly count: number },
): AccountFacts => ({
  ...account,
  ...afterClaim(account, day, count),
  gap_begins_at: at,
  gap_random_part: MEAN_RANDOM_PART,
});

/** Returns one account with the limits of two. */
export function addAccounts(a: AccountFacts, b: AccountFacts): AccountFacts {
  const day = (account: AccountFacts) => account.counted_on ?? '';
  const [later, earlier] = day(a) >= day(b) ? [a, b] : [b, a];
  return {
    ...later,
    limited_until: null,
    daily_limit: a.daily_limit + b.daily_limit,
    ramp_start: a.ramp_start === null || b.ramp_start === null ? null : a.ramp_start + b.ramp_start,
    ramp_per_day: a.ramp_per_day + b.ramp_per_day,
    sent_count: later.sent_count + (day(earlier) === day(later) ? earlier.sent_count : 0),
    min_seconds_between: gapOfBoth(a.min_seconds_between, b.min_seconds_between),
  };
}

/** Two accounts with gaps send as one with the harmonic sum of them. */
const gapOfBoth = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : (a * b) / (a + b));
