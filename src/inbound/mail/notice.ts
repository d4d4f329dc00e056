import { complaint } from './complaint.js';
import { deliveryReport } from './delivery-report.js';
import type { HeaderFields } from './header-fields.js';
import type { ReportSender } from './mail-server.js';
import type { MailContent, PossibleReport, ReceivedMail, ServerReport } from './received-mail.js';
import { isFromList, repliedTo } from './reply.js';
import { textBounce } from './text-bounce.js';

/** What a report or a reply that was received by mail says about a sent message. */
export interface Notice {
  /** The Message-IDs that it may refer to, the most likely first. */
  readonly message_ids: readonly string[];
  readonly report: ServerReport | Replied;
  /** What it says if these messages are not the workspace's, because a person may cite the notice of a server. */
  readonly otherwise?: Replied;
}

type Replied = { readonly kind: 'replied' } & MailContent;

/** Reads what a mail says. @returns undefined for reports of other kinds, and for mails to mailing lists */
export function noticeOf(mail: ReceivedMail): Notice | undefined {
  const { header, content, report } = mail;
  const reply = content && !isFromList(header) ? ({ kind: 'replied', ...content } as const) : undefined;
  if (report) {
    const found = reportIn(report, mail);
    if (found)
      return {
        message_ids: [...report.returned_ids, ...threadIds(header)],
        report: found,
        ...(reply?.classification === 'reply' ? { otherwise: reply } : {}),
      };
    // The person who runs a mail server may reply, too.
    if (report.sender === 'postmaster' && content?.classification !== 'reply') return undefined;
  }
  return reply && { message_ids: repliedTo(header), report: reply };
}

function reportIn(report: PossibleReport, { subject, header }: ReceivedMail): ServerReport | undefined {
  if (NEEDS_MESSAGE.has(report.sender) && report.returned_ids.length === 0) return undefined;
  const delivery = deliveryReport(report);
  if (delivery) return delivery.kind === 'pending' ? undefined : delivery;
  const complained = complaint(report, subject);
  if (complained || report.parts.some(({ type }) => OTHER_REPORT.test(type))) return complained;
  return textBounce({ ...report, subject, failed_recipients: header.get('x-failed-recipients') });
}

/** Who says nothing about a message without returning it. */
const NEEDS_MESSAGE: ReadonlySet<ReportSender> = new Set<ReportSender>(['unknown', 'unmarked']);

/** Reports about reading (RFC 8098) and those of RFC 5965 that are no complaints. */
const OTHER_REPORT = /^message\/((global-)?disposition-notification|feedback-report)$/;

/** Some servers do not return the message but refer to it in the header. */
const threadIds = (header: HeaderFields): string[] =>
  ['in-reply-to', 'references'].flatMap((name) => header.messageIds(name));
