import { DateTime } from 'luxon';
import { customRule } from './fields.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Whether a text is a day (`YYYY-MM-DD`) or an instant with a time zone (RFC 3339). */
export const isDayOrInstant = (text: string): boolean =>
  (DAY.test(text) || INSTANT.test(text)) && DateTime.fromISO(text, { zone: 'utc' }).isValid;

/** A day (UTC) or an instant with a time zone (RFC 3339). */
export const IsDayOrInstant = (): PropertyDecorator =>
  customRule('isDayOrInstant', [], {
    validate: (value) => typeof value === 'string' && isDayOrInstant(value),
    message: (field) => `${field} must be a date in the format YYYY-MM-DD or an instant such as 2026-01-15T09:00:00Z`,
    schema: { type: 'string', examples: ['2026-01-15', '2026-01-15T09:00:00Z'] },
  });
