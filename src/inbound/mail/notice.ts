import type { MessageReport } from '../../sending/index.js';
import { complaint } from './complaint.js';
import { deliveryReport } from './delivery-report.js';
import type { Part, ReceivedMail } from './received-mail.js';
import { HeaderFields } from './header-fields.js';
import { repliedTo } from './reply.js';

/** What a mail says of a message that was sent before. */
export interface Notice {
  /** The Message-IDs that it names, the likeliest first. */
  readonly message_ids: readonly string[];
  readonly report: MessageReport;
}

/** What a mail says of another; undefined for one that says nothing. */
export function noticeOf(mail: ReceivedMail): Notice | undefined {
  if (!mail.report) return { message_ids: repliedTo(mail), report: { kind: 'replied' } };
  const report = deliveryReport(mail.report, mail.text ?? '') ?? complaint(mail.report);
  return report && { message_ids: [...returnedIds(mail.report), ...threadIds(mail.header)], report };
}

/** The message that came back, or its header alone (RFC 6522, 3). */
const RETURNED = /^(message\/(rfc822|global)|(text|message)\/(rfc822|global)-headers)$/;

const returnedIds = (parts: readonly Part[]): string[] =>
  parts.filter(({ type }) => RETURNED.test(type)).flatMap(({ text }) => headerOf(text).messageIds('message-id'));

/** Some servers return nothing, but answer in the thread. */
const threadIds = (header: HeaderFields): string[] =>
  ['in-reply-to', 'references'].flatMap((name) => header.messageIds(name));

const headerOf = (message: string): HeaderFields => new HeaderFields(message.split(/\r?\n\r?\n/, 1).join());
