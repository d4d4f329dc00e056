import { countedDayOf, effectiveLimitOf, rampDayOf, sentTodayOf, today } from '../../../email-accounts/index.js';
import { sql } from '../../../platform/database/index.js';
import { makeDue } from '../release.queries.js';
import { type AccountRule, effect } from '../rule.js';
import { afterClaim, dailyLimit, type DailyLimit, remainingOn, utcDay } from './daily-limit.js';

/** The limit of an account for each day (UTC), which grows while the account ramps up. A claim reserves its messages. */
export const dailyLimitRule: AccountRule<DailyLimit, 'daily_limit'> = {
  /** The email account has reached its own limit of the day. */
  reason: 'daily_limit',
  level: 'account',
  columns: () => sql`account.daily_limit, account.ramp_start, account.ramp_per_day,
    account.ramp_started_on::text AS ramp_started_on, account.ramp_days, account.counted_on::text AS counted_on,
    account.sent_count`,
  timing: dailyLimit,
  isRefunded: true,
  claimSize: (account, at) => remainingOn(account, utcDay(at)),
  reservation: {
    // The first claim of a day ends the last day on which something was due.
    assign: (scope, { ramp_start: start }, messages) => sql`
    sent_count = ${sentTodayOf(scope, 'account')} + ${messages}, counted_on = ${countedDayOf(scope, 'account')}
    ${start === null ? sql.empty : sql`, ramp_days = ${rampDayOf('account', today(scope))}`}`,
    dayOf: (account, at) => afterClaim(account, utcDay(at), 0).counted_on,
    isFor: (day, at) => utcDay(at) === day,
    refund: (messages) => sql`sent_count = greatest(account.sent_count - ${messages}, 0)`,
    // What is reserved for a day that is over ends with that day.
    isCounted: (day) => sql`account.counted_on = ${day}`,
  },
  stop: {
    when: (scope) => sql`message.reserved_on IS DISTINCT FROM ${today(scope)}
      OR ${sentTodayOf(scope, 'account')} > ${effectiveLimitOf('account', today(scope))}`,
    then: 'stopped',
  },
  refusal: 'The email accounts of the campaign have reached their limit of the day.',
  effects: [
    effect('email_account.updated', (scope, { email_account_id: id }) =>
      makeDue(scope, sql`message.email_account_id = ${id}`, ['daily_limit']),
    ),
  ],
  estimate: {
    size: ({ daily_limit: limit }) => limit,
    capacity: (account, at) => remainingOn(account, utcDay(at)),
    after: (account, { from, count }) => {
      const { counted_on, ramp_days, sent_count } = afterClaim(account, utcDay(from), count);
      return { counted_on, ramp_days, sent_count };
    },
    ofBoth: (a, b) => ({
      daily_limit: a.daily_limit + b.daily_limit,
      ramp_start: a.ramp_start === null || b.ramp_start === null ? null : a.ramp_start + b.ramp_start,
      ramp_per_day: a.ramp_per_day + b.ramp_per_day,
      ...countOfBoth(a, b),
    }),
  },
};

/** What two accounts have counted on the later of their days. */
function countOfBoth(a: DailyLimit, b: DailyLimit): Partial<DailyLimit> {
  const day = (account: DailyLimit) => account.counted_on ?? '';
  const [later, earlier] = day(a) >= day(b) ? [a, b] : [b, a];
  const { counted_on, ramp_started_on, ramp_days } = later;
  const sent = later.sent_count + (day(earlier) === day(later) ? earlier.sent_count : 0);
  return { counted_on, ramp_started_on, ramp_days, sent_count: sent };
}
