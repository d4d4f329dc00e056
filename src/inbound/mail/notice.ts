import type { MessageReport } from '../../sending/index.js';
import { complaint } from './complaint.js';
import { deliveryReport } from './delivery-report.js';
import type { Part, ReceivedMail } from './received-mail.js';
import { HeaderFields } from './header-fields.js';
import { repliedTo } from './reply.js';

/** What a received mail reports about a sent message. */
export interface Notice {
  /** The Message-IDs that it may refer to, the most likely first. */
  readonly message_ids: readonly string[];
  readonly report: MessageReport;
}

/** Reads the report of a mail. @returns undefined if it is a report of another kind */
export function noticeOf(mail: ReceivedMail): Notice | undefined {
  if (!mail.report) return { message_ids: repliedTo(mail), report: { kind: 'replied' } };
  const report = deliveryReport(mail.report, mail.text ?? '') ?? complaint(mail.report);
  return report && { message_ids: [...returnedIds(mail.report), ...threadIds(mail.header)], report };
}

/** The media types of the returned message or its header (RFC 6522, 3). */
const RETURNED = /^(message\/(rfc822|global)|(text|message)\/(rfc822|global)-headers)$/;

const returnedIds = (parts: readonly Part[]): string[] =>
  parts.filter(({ type }) => RETURNED.test(type)).flatMap(({ text }) => headerOf(text).messageIds('message-id'));

/** Some servers do not return the message but refer to it in the header. */
const threadIds = (header: HeaderFields): string[] =>
  ['in-reply-to', 'references'].flatMap((name) => header.messageIds(name));

const headerOf = (message: string): HeaderFields => HeaderFields.parse(message.split(/\r?\n\r?\n/, 1).join());
