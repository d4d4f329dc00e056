import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** The current day of the daily limits, in UTC (API v1, "Email account"). */
export const today = (scope: WorkspaceScope): Sql => sql`(${scope.now} AT TIME ZONE 'UTC')::date`;

/**
 * Returns how many messages an account has sent or reserved today. A counter of an earlier day is read as 0. It can be of
 * the next day: of a transaction that has begun later, but got the lock on the account before this one.
 */
export const sentTodayOf = (scope: WorkspaceScope, row: string): Sql => {
  const account = sql.ref(row);
  return sql`(CASE WHEN ${account}.counted_on >= ${today(scope)} THEN ${account}.sent_count ELSE 0 END)`;
};

/**
 * Returns how many messages an account may send today, as `effectiveLimit` of `sending` does: the daily limit, or less while it
 * ramps up.
 */
export const effectiveLimitOf = (row: string, day: Sql): Sql => {
  const account = sql.ref(row);
  return sql`(CASE WHEN ${account}.ramp_start IS NULL THEN ${account}.daily_limit
    ELSE least(${account}.daily_limit, ${account}.ramp_start + ${account}.ramp_per_day * ${rampDayOf(row, day)}) END)`;
};

/** On how many days of its ramp before today something was due, as `rampDay` of `sending` returns it. */
export const rampDayOf = (row: string, day: Sql): Sql => {
  const account = sql.ref(row);
  return sql`(${account}.ramp_days + coalesce(
    (${account}.counted_on >= ${account}.ramp_started_on AND ${account}.counted_on < ${day})::int, 0))`;
};

/** Returns the day to which {@link sentTodayOf} belongs. It never goes back. */
export const countedDayOf = (scope: WorkspaceScope, row: string): Sql => {
  const account = sql.ref(row);
  return sql`greatest(${account}.counted_on, ${today(scope)})`;
};
