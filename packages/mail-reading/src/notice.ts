import { complaint } from './complaint.js';
import { deliveryReport } from './delivery-report.js';
import type { HeaderFields } from './header-fields.js';
import type { ReportSender } from './mail-server.js';
import type { MailContent, Notice, PossibleReport, ServerReport } from './received-mail.js';
import { isFromList, repliedTo } from './reply.js';
import { textBounce } from './text-bounce.js';

/** What a notice is read from. */
export interface NoticeSource {
  /** The fields that are used. */
  readonly header: HeaderFields;
  /** Decoded. */
  readonly subject: string;
  /** What the mail reports, if its header may be that of a report. */
  readonly report?: PossibleReport;
  /** What it says, if a person or an automatic responder may have written it. */
  readonly content?: MailContent;
}

/** Reads what a mail says. @returns undefined for reports of other kinds, and for mails to mailing lists */
export function noticeOf(mail: NoticeSource): Notice | undefined {
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

function reportIn(report: PossibleReport, { subject, header }: NoticeSource): ServerReport | undefined {
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
