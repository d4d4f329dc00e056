import { IANAZone } from 'luxon';
import { customRule } from './fields.js';

/** Offsets such as `+01:00`, which Node 22 accepts as time zones, but which have no daylight saving time. */
const OFFSET = /^[+-]/;

/** The name of an IANA time zone, such as `Europe/Paris`. */
export const IsTimeZone = (): PropertyDecorator =>
  customRule('isTimeZone', [], {
    validate: (value) => typeof value === 'string' && !OFFSET.test(value) && IANAZone.isValidZone(value),
    message: (field) => `${field} must be an IANA time zone such as Europe/Paris`,
    schema: { type: 'string', examples: ['Europe/Paris'] },
  });
