import { isDayOrInstant } from '../../tenancy/index.js';
import { customRule } from './fields.js';

/** A day (UTC) or an instant with a time zone (RFC 3339). */
export const IsDayOrInstant = (): PropertyDecorator =>
  customRule('isDayOrInstant', [], {
    validate: (value) => typeof value === 'string' && isDayOrInstant(value),
    message: (field) => `${field} must be a date in the format YYYY-MM-DD or an instant such as 2026-01-15T09:00:00Z`,
    schema: { type: 'string', examples: ['2026-01-15', '2026-01-15T09:00:00Z'] },
  });
