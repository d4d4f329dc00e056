import { normalizeHost } from '@outreach/egress';

const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** How many characters an address has at most (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Returns the form in which an address is stored and compared: in lower case, and with the A-labels of an internationalized
 * domain (RFC 5890, 2.3.2.1), `info@münchen.example` as `info@xn--mnchen-3ya.example`. What is no address stays one that
 * {@link isEmailAddress} refuses.
 */
export function normalizeEmail(text: string): string {
  const lower = text.toLowerCase();
  const start = lower.lastIndexOf('@') + 1;
  const domain = lower.slice(start);
  if (!NOT_ASCII.test(domain)) return lower;
  return lower.slice(0, start) + (normalizeHost(domain) ?? domain);
}

/**
 * Like {@link normalizeEmail}, for a text that may be a part of an address with its domain: `@München.example`,
 * `münchen.example`.
 */
export const normalizeEmailPart = (text: string): string =>
  NOT_ASCII.test(text) && /[^.\s@]\.[^.\s@]+$/.test(text) ? normalizeEmail(text) : text;

/**
 * Whether a normalized text is an email address: RFC 5321's dot-atom and a domain with a dot. Quoted local parts and
 * address literals are refused: people do not use them, and they allow injections.
 */
export const isEmailAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && text.indexOf('@') <= MAX_LOCAL_PART_LENGTH && EMAIL.test(text);

/**
 * Whether the part before the @ has characters beyond ASCII (RFC 6531): few servers accept such an address, and it has no
 * other form.
 */
export const hasInternationalLocalPart = (text: string): boolean =>
  NOT_ASCII.test(text.slice(0, Math.max(text.lastIndexOf('@'), 0)));

/** Returns the error of an address whose part before the @ has characters beyond ASCII. */
export const localPartRule = (field: string): string =>
  `${field} must have only ASCII characters before the @, because few mail servers accept others (RFC 6531): ` +
  'use another address of the person';
