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

/** Returns the day to which {@link sentTodayOf} belongs. It never goes back. */
export const countedDayOf = (scope: WorkspaceScope, row: string): Sql => {
  const account = sql.ref(row);
  return sql`greatest(${account}.counted_on, ${today(scope)})`;
};
