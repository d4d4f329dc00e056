import { LRUCache } from 'lru-cache';
import { IANAZone } from 'luxon';
import { customRule } from './fields.js';

/** The longest name of the time zone database has 32 characters. */
const MAX_NAME_LENGTH = 64;

/** Offsets such as `+01:00`, which Node 22 accepts as time zones, but which have no daylight saving time. */
const OFFSET = /^[+-]/;

/** Results of the check, which takes up to 0.1 ms: an import checks one name per row. */
const results = new LRUCache<string, boolean>({ max: 1000, memoMethod: (name) => IANAZone.isValidZone(name) });

const isTimeZone = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && !OFFSET.test(name) && results.memo(name);

/** The name of an IANA time zone, such as `Europe/Paris`. */
export const IsIanaTimeZone = (): PropertyDecorator =>
  customRule('isTimeZone', [], {
    validate: (value) => typeof value === 'string' && isTimeZone(value),
    message: (field) => `${field} must be an IANA time zone such as Europe/Paris`,
    schema: { type: 'string', examples: ['Europe/Paris'] },
  });
