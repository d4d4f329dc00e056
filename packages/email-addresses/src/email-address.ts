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

/** A text that is no address, and its parts. */
interface NoAddress {
  readonly text: string;
  /** Before the @. */
  readonly local: string;
  /** After the @. */
  readonly domain: string;
}

/** What can be wrong with an address, as the end of a sentence. The first that holds is the one to correct. */
const MISTAKES: readonly (readonly [(address: NoAddress) => boolean, string])[] = [
  [({ text }) => text === '', 'it is empty'],
  [({ text }) => !text.includes('@'), 'it has no @'],
  [({ text }) => text.indexOf('@') !== text.lastIndexOf('@'), 'it has more than one @'],
  [({ text }) => /\s/.test(text), 'it contains white space'],
  [({ local }) => local === '', 'it has nothing before the @'],
  [({ domain }) => domain === '', 'it has nothing after the @'],
  [({ text }) => text.length > MAX_EMAIL_LENGTH, `it has more than ${MAX_EMAIL_LENGTH} characters`],
  [
    ({ local }) => local.length > MAX_LOCAL_PART_LENGTH,
    `it has more than ${MAX_LOCAL_PART_LENGTH} characters before the @`,
  ],
  [({ local }) => /^\.|\.\.|\.$/.test(local), 'the part before the @ begins or ends with a dot, or has two in a row'],
  [
    ({ local }) => /[^a-z0-9!#$%&'*+/=?^_`{|}~.-]/.test(local),
    'it has a character before the @ that addresses do not have',
  ],
  [({ domain }) => !domain.includes('.'), 'the domain has no dot: it is not complete'],
  [({ domain }) => /[^a-z0-9.-]/.test(domain), 'it has a character after the @ that domains do not have'],
  [({ domain }) => /^\.|\.\.|\.$/.test(domain), 'the domain begins or ends with a dot, or has two in a row'],
  [
    ({ domain }) => !/\.[a-z][a-z0-9-]*[a-z0-9]$/.test(domain),
    'the domain does not end as domains do, such as with .com',
  ],
];

/**
 * Returns a sentence for a normalized text that is no email address: what is wrong, and what would be right. Undefined for an
 * address.
 * @param field the name of what contains the text
 */
export function emailAddressError(field: string, text: string): string | undefined {
  if (isEmailAddress(text)) return undefined;
  if (hasInternationalLocalPart(text) && text.indexOf('@') === text.lastIndexOf('@')) return localPartRule(field);
  const at = text.lastIndexOf('@');
  const address = { text, local: text.slice(0, Math.max(at, 0)), domain: text.slice(at + 1) };
  const [, mistake = 'the domain is not valid'] = MISTAKES.find(([holds]) => holds(address)) ?? [];
  return `${field} must be an email address: ${mistake}`;
}

/** Returns the error of an address whose part before the @ has characters beyond ASCII. */
const localPartRule = (field: string): string =>
  `${field} must have only ASCII characters before the @, because few mail servers accept others (RFC 6531): ` +
  'use another address of the person';
