import type { Attachment, ParsedMail } from 'mailparser';
import type { ReportSender } from './mail-server.js';
import { MAX_NOTICE_LENGTH } from './notice-text.js';
import type { Part, PossibleReport } from './received-mail.js';
import { textOfHtml } from './reply-text/html-text.js';
import { returnedIds } from './returned-message.js';

/** How much of each part is used: fields, and the header of the returned message. */
const MAX_PART_LENGTH = 65_536;

/** Returns what a mail may report. @param body its source, because some servers write MIME that no parser reads */
export function possibleReport(sender: ReportSender, mail: ParsedMail, body: Buffer): PossibleReport {
  const parts = mail.attachments.map(partOf).filter(({ type }) => USED.test(type));
  const source = body.toString('latin1');
  const text = (textOf(mail) || (parts.length === 0 ? source : '')).slice(0, MAX_NOTICE_LENGTH);
  return { sender, parts, text, returned_ids: returnedIds([...parts.map((part) => part.text), text, source]) };
}

/** Returns whether only a machine can have sent a report. */
export const isOfMachine = ({ sender, parts }: PossibleReport): boolean =>
  sender === 'mail_server' || parts.some(({ type }) => MACHINE_READABLE.test(type));

const USED = /^(message|text)\//;
const MACHINE_READABLE = /^message\/((global-)?(delivery-status|disposition-notification)|feedback-report)$/;

const textOf = ({ text = '', html }: ParsedMail): string =>
  text.trim() === '' && html ? textOfHtml(html.slice(0, 4 * MAX_NOTICE_LENGTH)) : text;

/** `contentType` is undefined for an invalid media type, although its type says `string`. */
const partOf = ({ contentType, content }: Attachment): Part => ({
  type: String(contentType).toLowerCase(),
  text: content.toString('utf8', 0, MAX_PART_LENGTH),
});
