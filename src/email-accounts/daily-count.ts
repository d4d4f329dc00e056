import { type Sql, sql } from '../platform/database/index.js';

/** The day that the daily limits count for now (API v1, "Email account"; in UTC). */
export const today: Sql = sql`(now() AT TIME ZONE 'UTC')::date`;

/** When the next day of the daily limits begins. */
export const tomorrow: Sql = sql`((${today} + 1)::timestamp AT TIME ZONE 'UTC')`;

/** What an account's row has sent or reserved today. The counter of another day counts as 0, without any job. */
export const sentTodayOf = (row: string): Sql => {
  const account = sql.ref(row);
  return sql`(CASE WHEN ${account}.counted_on = ${today} THEN ${account}.sent_count ELSE 0 END)`;
};
