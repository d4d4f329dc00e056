import { DateTime } from 'luxon';
import { type Sql, sql } from '../database/index.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the first instant of a range that begins with a day (UTC) or an instant, which the range includes. */
export const rangeStart = (text: string): Date => DateTime.fromISO(text, { zone: 'utc' }).toJSDate();

/** Returns the condition that `record` was changed at or after the start of a range. */
export const changedSince = (text: string): Sql => sql`record.updated_at >= ${rangeStart(text)}::timestamptz`;

/** Returns the last instant of a range that ends with a day (UTC) or an instant, which the range includes. */
export const rangeEnd = (text: string): Date => {
  const instant = DateTime.fromISO(text, { zone: 'utc' });
  return (DAY.test(text) ? instant.endOf('day') : instant).toJSDate();
};
