/** How much of a text is read. A reply has at most some hundred characters, a notice some thousand. */
const MAX_TEXT_LENGTH = 8_192;

/** `<pat>` of Sendmail, `<pat@example.com>`, `pat@example.com`. */
const ADDRESSES = /<[^<>\s]{1,320}>|[^\s<>@,;:"'()[\]]{1,64}@[^\s<>@,;:"'()]{1,255}/g;
/** The names of block lists, and the subjects of Google's pages, say what a link is about. */
const TELLING =
  /spamhaus|spamcop|barracudacentral|sorbs|abuseat|uceprotect|ipcheck\.proofpoint|csi\.cloudmark|dnsbl|blocklist|nosuchuser/;
const LINKS = /https?:\/\/[^\s<>"')]{1,500}/g;
/** A short ending may be the beginning of a sentence: `unknown.In reply to`. */
const HOST_NAMES =
  /\b[a-z0-9_-]{1,63}(?:(?:\.[a-z0-9_-]{1,63}){1,8}\.[a-z]{2}|(?:\.[a-z0-9_-]{1,63}){0,8}\.(?:com|net|org|edu|gov|info|biz|local|example|test|invalid))\b(?![.-]?\w)/g;
const CODES =
  /(?<![\d.])[245]\d\d(?=[ -]|$)(?:[ -]['"]?#?[245]\.\d{1,3}\.\d{1,3}(?![\d.]))?-?|#?(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/g;

/** Returns a text as one line. */
export const oneLine = (text: string): string =>
  text
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();

/**
 * Returns the words of a refusal in lower case: without codes, so that the lines of a reply become one sentence, and without
 * addresses, links and host names, whose parts say nothing: `<sender.policy@list.example>`.
 */
export const wordsOf = (text: string): string =>
  oneLine(text)
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(LINKS, (link) => ` ${TELLING.exec(link)?.[0] ?? ''} `)
    .replace(ADDRESSES, ' @ ')
    .replace(HOST_NAMES, (name) => TELLING.exec(name)?.[0] ?? '')
    .replace(CODES, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

const MAX_SIGNATURE_LENGTH = 300;

/**
 * Returns what refusals of several recipients for the same reason have in common: the words without addresses, host names,
 * numbers, identifiers with digits, and the names of this recipient.
 * @param email the address of the recipient
 */
export function refusalSignature(text: string, email: string): string {
  const names = new Set(email.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const words = wordsOf(text).match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const common = words.filter((word) => !/\d/.test(word) && !names.has(word));
  return common.join(' ').slice(0, MAX_SIGNATURE_LENGTH);
}

const MAX_REASON_LENGTH = 500;
const HEAD_LENGTH = 200;

/**
 * Returns a text in one line of at most 500 characters. Words that stand further behind are kept with what surrounds them.
 * @param decisive the words that the text is kept for, in lower case
 */
export function reasonWith(text: string, decisive: string): string {
  const line = oneLine(text);
  const position = line.toLowerCase().indexOf(decisive);
  if (position + decisive.length <= MAX_REASON_LENGTH) return line.slice(0, MAX_REASON_LENGTH).toWellFormed();
  const room = MAX_REASON_LENGTH - HEAD_LENGTH - 3;
  const start = Math.max(HEAD_LENGTH, position - Math.max(0, Math.floor((room - decisive.length) / 2)));
  return `${line.slice(0, HEAD_LENGTH)} … ${line.slice(start, start + room)}`.toWellFormed();
}
