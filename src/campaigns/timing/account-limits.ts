import { type DailyLimit, type Gap, gapEnd, remainingOn, utcDay } from '../../email-accounts/index.js';
import type { TimingRule } from './earliest-instant.js';

/** The gap after the last message of an account. */
export const minSecondsBetween = (gap: Gap): TimingRule => ({
  reason: 'min_seconds_between',
  next: (instant) => {
    const end = gapEnd(gap);
    return end && end > instant ? end : instant;
  },
});

/** The limit of an account for each day (UTC), as long as it sends nothing more. */
export const dailyLimit = (account: DailyLimit): TimingRule => ({
  reason: 'daily_limit',
  next: (instant) => (remainingOn(account, utcDay(instant)) > 0 ? instant : nextUtcDay(instant)),
});

const nextUtcDay = (instant: Date): Date =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate() + 1));
