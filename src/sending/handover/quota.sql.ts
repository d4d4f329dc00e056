import { sql } from '../../platform/database/index.js';

/** The current day of the daily limits. */
export const today = sql`(now() AT TIME ZONE 'utc')::date`;

/** When the next day of the daily limits begins. */
export const tomorrow = sql`((${today} + 1)::timestamp AT TIME ZONE 'utc')`;

/** What the row `account` has sent or reserved today. A counter of another day counts as 0, without any job. */
export const sentToday = sql`(CASE WHEN account.counted_on = ${today} THEN account.sent_count ELSE 0 END)`;
