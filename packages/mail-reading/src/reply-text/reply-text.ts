import EmailReplyParser from 'email-reply-parser';
import { textOfHtml } from './html-text.js';
import { CONTROL_CHARACTERS, MARKERS } from './markers.js';
import { withoutQuotations } from './quotations.js';

/** The texts of a mail. */
export interface MailTexts {
  readonly text?: string | undefined;
  /** `false` if it has none. */
  readonly html?: string | false | undefined;
}

/** How much of a text is read. */
const MAX_READ_LENGTH = 262_144;
/** How much of the new part is returned. */
const MAX_REPLY_LENGTH = 20_000;

/**
 * Returns the new part of a reply: its text without the mails that it quotes and without its signature, at most 20,000
 * characters. The HTML is read if there is no text. The whole text is returned if it seems to be quoted from its
 * beginning to its end: a person may have answered below a line that introduces a quotation.
 */
export function replyText({ text = '', html = '' }: MailTexts): string {
  const plain = normalized(text);
  const whole = plain === '' && html ? normalizedLines(textOfHtml(html)) : plain;
  const reply = compacted(withoutQuotations(whole));
  const remaining = reply === '' ? compacted(whole.replaceAll(MARKERS, '')) : withoutSignature(reply) || reply;
  return wholeCharacters(remaining.slice(0, MAX_REPLY_LENGTH));
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;

const normalized = (text: string): string =>
  normalizedLines(text.slice(0, MAX_READ_LENGTH).replace(CONTROL_CHARACTERS, ''));

const normalizedLines = (text: string): string =>
  text
    .slice(0, MAX_READ_LENGTH)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(INVISIBLE, '')
    .replace(/[\u00a0\u202f\u2007]/g, ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** At most one blank line in a row. */
const compacted = (text: string): string => text.replace(/\n{3,}/g, '\n\n').trim();

/** The half of a surrogate pair at the end is removed. */
const wholeCharacters = (text: string): string => (text.isWellFormed() ? text : text.slice(0, -1)).trim();

/** The parser's patterns take quadratic time in the length of a text, and cubic if some words are repeated. */
const MAX_PARSED_LENGTH = 8_000;
const MAX_LINE_LENGTH = 500;
const MULTILINE_WORDS = /schreef|skrev|写道|pisze|napisał|kirjoitti/g;

/** Removes the signature, and quotations in the other languages that the parser knows. Long texts are not parsed. */
function withoutSignature(text: string): string {
  const isParsed =
    text.length <= MAX_PARSED_LENGTH &&
    (text.match(MULTILINE_WORDS)?.length ?? 0) <= 1 &&
    text.split('\n').every((line) => line.length <= MAX_LINE_LENGTH);
  return isParsed ? compacted(new EmailReplyParser().parseReply(text)) : text;
}
