import { Injectable } from '@nestjs/common';
import { MailParser, UnreadableMail, usedMessageIds } from '@outreach/mail-reading';
import { Log } from '@outreach/logging';
import { ValidationFailed } from '@outreach/http-errors';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DeliveryReports, type MessageReport } from '../../sending/index.js';
import type { Receipt } from '../inbound.view.js';
import { findReplied, replyOf } from './reply-matching.js';
import { UnsubscribeMails } from './unsubscribe-mails.js';
import type { MailOrigin } from './mail-origin.js';

/**
 * Records what received mails report about the messages of a workspace, from any source. Other mails have no effect, and
 * a mail that is recorded again changes nothing.
 */
@Injectable()
export class ReceivedMails {
  constructor(
    private readonly parser: MailParser,
    private readonly unsubscribes: UnsubscribeMails,
    private readonly deliveryReports: DeliveryReports,
    private readonly log: Log,
  ) {}

  /**
   * Records one mail. A mail that cannot be read, or whose values cannot be stored, is ignored: it would fail each time that
   * it is read, and the mails after it in its mailbox would never be.
   * @param raw the mail (RFC 5322); the beginning of a long one is used
   * @returns the number of messages that it is about, which is 0 or 1
   * @throws Busy if too many mails of the workspace wait
   */
  async record(scope: WorkspaceScope, raw: Buffer, origin: MailOrigin = {}): Promise<Receipt> {
    try {
      return await this.recordReadable(scope, raw, origin);
    } catch (error) {
      if (!(error instanceof UnreadableMail || error instanceof ValidationFailed)) throw error;
      const reason = error instanceof ValidationFailed ? Object.values(error.errors).flat().join(' ') : error.message;
      this.log.warn('a received mail was ignored', { workspace_id: scope.workspace_id, bytes: raw.length, reason });
      return { matched: 0 };
    }
  }

  /** @throws UnreadableMail; ValidationFailed if the database refuses a value; Busy */
  private async recordReadable(scope: WorkspaceScope, raw: Buffer, origin: MailOrigin): Promise<Receipt> {
    const receivedAt = origin.received_at ?? scope.clock.now();
    const mail = await this.parser.parse(scope.workspace_id, raw, receivedAt);
    if (await this.unsubscribes.record(scope, mail.subject)) return { matched: 1 };
    const { notice } = mail;
    if (!notice) return { matched: 0 };
    const own = mail.header.messageIds('message-id');
    const found = await this.deliveryReports.find(scope, usedMessageIds([...own, ...notice.message_ids]));
    // A copy of one of our own follow-ups refers to the message before it, but is not a reply.
    if (own.some((messageId) => found.has(messageId))) return { matched: 0 };
    const [id] = notice.message_ids.flatMap((messageId) => found.get(messageId) ?? []);
    const report = id === undefined ? (notice.otherwise ?? notice.report) : notice.report;
    if (report.kind !== 'replied') return this.recordAbout(scope, id, report);
    const answered = await findReplied(scope, { mail, id, origin });
    if (!answered) return { matched: 0 };
    const reply = replyOf(mail, report, answered, receivedAt);
    return this.recordAbout(scope, answered.id, { kind: 'replied', reply, occurred_at: origin.received_at });
  }

  private async recordAbout(scope: WorkspaceScope, id: number | undefined, report: MessageReport): Promise<Receipt> {
    if (id === undefined) return { matched: 0 };
    await this.deliveryReports.record(scope, [id], report);
    return { matched: 1 };
  }
}
