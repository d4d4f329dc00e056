import { complaint } from './complaint.js';
import { deliveryReport } from './delivery-report.js';
import { HeaderFields } from './header-fields.js';
import type { MailContent, Part, ReceivedMail, ServerReport } from './received-mail.js';
import { isOfMailServer } from './mail-server.js';
import { isFromList, repliedTo } from './reply.js';
import { copiedIds, textBounce } from './text-bounce.js';

/** What a report or a reply that was received by mail says about a sent message. */
export interface Notice {
  /** The Message-IDs that it may refer to, the most likely first. */
  readonly message_ids: readonly string[];
  readonly report: ServerReport | ({ readonly kind: 'replied' } & MailContent);
}

/** Reads what a mail says. @returns undefined for reports of other kinds, and for mails to mailing lists */
export function noticeOf(mail: ReceivedMail): Notice | undefined {
  const { header, content, text = '' } = mail;
  if (mail.report) return reportOf(header, mail.report, text);
  if (isOfMailServer(header, mail.from.address)) {
    const report = textBounce(text, mail.subject, header.get('x-failed-recipients'));
    if (report) return { message_ids: [...copiedIds(text), ...threadIds(header)], report };
    // The person who runs a mail server may reply, too.
    if (content?.classification !== 'reply') return undefined;
  }
  if (!content || isFromList(header)) return undefined;
  return { message_ids: repliedTo(mail), report: { kind: 'replied', ...content } };
}

function reportOf(header: HeaderFields, parts: readonly Part[], text: string): Notice | undefined {
  const report = deliveryReport(parts, text) ?? complaint(parts);
  return report && { message_ids: [...returnedIds(parts), ...threadIds(header)], report };
}

/** The media types of the returned message or its header (RFC 6522, 3). */
const RETURNED = /^(message\/(rfc822|global)|(text|message)\/(rfc822|global)-headers)$/;

const returnedIds = (parts: readonly Part[]): string[] =>
  parts.filter(({ type }) => RETURNED.test(type)).flatMap(({ text }) => headerOf(text).messageIds('message-id'));

/** Some servers do not return the message but refer to it in the header. */
const threadIds = (header: HeaderFields): string[] =>
  ['in-reply-to', 'references'].flatMap((name) => header.messageIds(name));

const headerOf = (message: string): HeaderFields => HeaderFields.parse(message.split(/\r?\n\r?\n/, 1).join());
