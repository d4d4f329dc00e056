import { LRUCache } from 'lru-cache';
import { IANAZone } from 'luxon';
import { customRule } from './fields.js';

/** The longest name of the time zone database has 32 characters. */
const MAX_NAME_LENGTH = 64;

/** Offsets such as `+01:00`, which Node 22 accepts as time zones, but which have no daylight saving time. */
const OFFSET = /^[+-]/;

/**
 * The zones with three letters that IANA has. Node knows others from early versions of Java, such as `PST` and `IST`, which
 * name several zones, and `AGT`, which no other program knows.
 */
const THREE_LETTERS: ReadonlySet<string> = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '));

/** Names that Node still knows although IANA has removed them. */
const REMOVED = /^(?:systemv\/.*|canada\/east-saskatchewan|us\/pacific-new)$/i;

const isIanaName = (name: string): boolean =>
  (name.length !== 3 || THREE_LETTERS.has(name.toUpperCase())) && !REMOVED.test(name);

/** Results of the check, which takes up to 0.1 ms: an import checks one name per row. */
const results = new LRUCache<string, boolean>({ max: 1000, memoMethod: (name) => IANAZone.isValidZone(name) });

const isTimeZone = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && !OFFSET.test(name) && isIanaName(name) && results.memo(name);

/** The name of an IANA time zone, such as `Europe/Paris`, or an older name of it, such as `US/Pacific`. */
export const IsIanaTimeZone = (): PropertyDecorator =>
  customRule('isTimeZone', [], {
    validate: (value) => typeof value === 'string' && isTimeZone(value),
    message: (field) => `${field} must be an IANA time zone such as Europe/Paris`,
    schema: { type: 'string', examples: ['Europe/Paris'] },
  });
