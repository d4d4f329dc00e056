import type { TimingRule } from '@outreach/time-windows';

/** What decides how many messages an account may send on a day. The columns of `email_accounts` have the same names. */
export interface DailyLimit {
  readonly daily_limit: number;
  /** The limit of the first day of a ramp; null without one. */
  readonly ramp_start: number | null;
  /** By how much the limit of a ramp grows per day. */
  readonly ramp_per_day: number;
  /** The first day of the ramp, as `YYYY-MM-DD`. */
  readonly ramp_started_on: string | null;
  /** On how many days from `ramp_started_on` to the one before `counted_on` messages were claimed. */
  readonly ramp_days: number;
  /** The last day (UTC) on which messages were claimed, as `YYYY-MM-DD`; null before the first one. */
  readonly counted_on: string | null;
  /** The messages that were sent or reserved on `counted_on`. */
  readonly sent_count: number;
}

/** The day (UTC) of an instant, as `YYYY-MM-DD`. */
export const utcDay = (instant: Date): string => instant.toISOString().slice(0, 10);

/** Returns on how many days of the ramp before `day` something was due: the `n` of API v1. */
export function rampDay(
  { ramp_days: before, counted_on: last, ramp_started_on: first }: DailyLimit,
  day: string,
): number {
  const isLastCounted = last !== null && first !== null && last >= first && last < day;
  return before + Number(isLastCounted);
}

/** Returns how many messages the account may send on a day, of which `counted_on` or a later one is known. */
export function effectiveLimit(account: DailyLimit, day: string): number {
  if (account.ramp_start === null) return account.daily_limit;
  return Math.min(account.daily_limit, account.ramp_start + account.ramp_per_day * rampDay(account, day));
}

/** Returns how many messages the account has sent or reserved on a day. */
export const sentOn = ({ counted_on: last, sent_count: count }: DailyLimit, day: string): number =>
  last !== null && last >= day ? count : 0;

/** Returns how many more messages the account may send on a day. */
export const remainingOn = (account: DailyLimit, day: string): number =>
  Math.max(0, effectiveLimit(account, day) - sentOn(account, day));

/** Returns the account after a claim of so many messages on a day. */
export const afterClaim = (account: DailyLimit, day: string, messages: number): DailyLimit => ({
  ...account,
  ramp_days: rampDay(account, day),
  sent_count: sentOn(account, day) + messages,
  counted_on: account.counted_on !== null && account.counted_on > day ? account.counted_on : day,
});

/** The limit of an account for each day (UTC), as long as it sends nothing more. */
export const dailyLimit = (account: DailyLimit): TimingRule<'daily_limit'> => ({
  reason: 'daily_limit',
  next: (instant) => (remainingOn(account, utcDay(instant)) > 0 ? instant : nextUtcDay(instant)),
});

const nextUtcDay = (instant: Date): Date =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate() + 1));

const DAY_MS = 86_400_000;

/**
 * What an account may send today, what is left of it, and what it may send tomorrow. Today is a day of its ramp, because a
 * campaign sends as soon as it is started.
 */
export function dailyCapacity(account: DailyLimit, now: Date): Record<'today' | 'remaining' | 'tomorrow', number> {
  const [today, tomorrow] = [utcDay(now), utcDay(new Date(now.getTime() + DAY_MS))];
  return {
    today: effectiveLimit(account, today),
    remaining: remainingOn(account, today),
    tomorrow: effectiveLimit(afterClaim(account, today, 0), tomorrow),
  };
}
