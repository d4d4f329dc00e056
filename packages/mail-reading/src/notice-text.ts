import type { RefusalPhase } from '@outreach/refusals';

/** How much of the text of a notice is read. */
export const MAX_NOTICE_LENGTH = 65_536;

/** The line before the returned message, or its first line. */
const COPY = new RegExp(
  [
    String.raw`^[-‐–_=|* ]{2,80}.{0,60}(copy of|original|returned|forwarded|unsent|undelivered|message (text|header|body)|headers?).{0,60}(message|headers?|mail|follows?|below)\b.{0,80}$`,
    String.raw`^[-‐–_=|* ]{2,80}(original message|returned message|nachricht|message d'origine).{0,80}$`,
    String.raw`^[ \t]{0,10}((below|enclosed) is a copy of|(original |returned )?message (headers? )?follows?|original message headers?|the (body|headers?) of the (original )?message).{0,80}$`,
    String.raw`^[ \t>]{0,10}(received: ?(from|by|with)|return-path: ?<|dkim-signature: ?v=).{0,80}`,
  ].join('|'),
  'im',
);
/**
 * The fields of the returned message in a notice, and those of RFC 3464 that name servers and addresses, say nothing about its
 * delivery.
 */
const RETURNED_FIELD =
  /^[ \t>*]{0,20}(subject|objet|betreff|asunto|oggetto|onderwerp|assunto|date|from|sent|message-id|(reporting|remote|received-from)-mta|(arrival|last-attempt)-date|(final|original)-recipient)[ \t]?:.*$/gim;

/** Returns what a notice says, without the returned message below it and its fields. */
export function withoutCopy(text: string): string {
  const read = text.slice(0, MAX_NOTICE_LENGTH);
  const copy = COPY.exec(read);
  // A notice may stand below what it returns.
  const notice = copy && read.slice(0, copy.index).trim() !== '' ? read.slice(0, copy.index) : read;
  return notice.replace(RETURNED_FIELD, '');
}

/** A reply of a server: a code at the beginning of a line, or after what introduces it, to the end of the paragraph. */
const REPLY =
  /(?:^|[:;'"([>#|]|said|was|returned|error|code)[ \t]{0,20}([45][0-5]\d(?:[- ,]|: ?)(?=[^\s\d]|\d\.\d|[45]\d\d[ -])(?:[^\r\n]{1,300}(?:\r?\n(?=[ \t]{0,20}[^\s-])(?!giving up))?){1,4})/im;
/** A sentence with an enhanced code, as qmail writes it. */
const REASON = /^[^\r\n]{0,300}\(?#[45]\.\d{1,3}\.\d{1,3}\)?[^\r\n]{0,100}$/m;
const MAX_REPLY_LENGTH = 500;

/** Returns the reply of a server that a notice cites, or an empty string. */
export const citedReply = (notice: string): string =>
  (REPLY.exec(notice)?.[1] ?? REASON.exec(notice)?.[0] ?? '').slice(0, MAX_REPLY_LENGTH);

/** Checks for the reply code of a permanent failure. */
export const citesPermanentFailure = (notice: string): boolean => citedReply(notice).startsWith('5');

/** The subjects that end with the reason. */
const REASON_IN_SUBJECT = /^\s*(?:returned mail|delivery failure)\s?:\s?(.{1,300})/i;

/** Returns the reason in the subject of a notice, or an empty string. */
export const reasonInSubject = (subject: string): string => REASON_IN_SUBJECT.exec(subject)?.[1] ?? '';

const ADDRESS = /[^\s@]@[^\s@]/;
const ADVICE = /assist|contact|please|help|support/i;
const MAX_EXCERPT_LENGTH = 800;

/** Returns what a notice says of a recipient: from the first line with an address, which greetings and advice are not. */
export function excerptOf(notice: string): string {
  const lines = notice.split('\n');
  const first = lines.findIndex((line) => ADDRESS.test(line) && !ADVICE.test(line));
  return lines.slice(Math.max(0, first)).join('\n').trim().slice(0, MAX_EXCERPT_LENGTH);
}

/** Google Groups says in many languages that a group does not exist, or that the sender may not write to it. */
const OF_GROUP = /groups\.google\.com|support\.google\.com\/a\//;

/** Checks for the refusal of a mailing list, which says nothing about its address. */
export const isOfGroup = (notice: string): boolean => OF_GROUP.test(notice);

/** The command that was refused, in the words of Postfix, Exim, qmail, Sendmail and DragonFly. */
const COMMAND =
  /(?:in reply to|after(?: sending| I sent(?: the)?)?|while sending|like our|>>>)[ \t]{0,5}(?:the )?(end of data|data|message|mail from|rcpt to|initial connection|ehlo|helo)/i;

/** Returns the phase at which a message was refused, if a notice says it. */
export function phaseIn(notice: string): RefusalPhase | undefined {
  const command = COMMAND.exec(notice)?.[1]?.toLowerCase();
  switch (command) {
    case undefined:
      return undefined;
    case 'mail from':
      return 'mail';
    case 'rcpt to':
      return 'rcpt';
    case 'data':
    case 'end of data':
    case 'message':
      return 'message';
    default:
      return 'connection';
  }
}
