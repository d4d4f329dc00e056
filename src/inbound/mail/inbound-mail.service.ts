import { Injectable } from '@nestjs/common';
import { MEGABYTE, type UnreadBody } from '../../platform/http/index.js';
import { Log } from '../../platform/logging/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DeliveryReports } from '../../sending/index.js';
import { InboundKeys } from '../inbound-keys.cross-tenant.js';
import { InboundQueue } from '../inbound-queue.js';
import type { Receipt } from '../inbound.view.js';
import { MAX_MESSAGE_IDS } from './header-fields.js';
import { MailParser } from './mail-parser.js';
import { noticeOf } from './notice.js';
import { MAX_USED_BYTES, type ReceivedMail, UnreadableMail } from './received-mail.js';

const MAX_MAIL_BYTES = 10 * MEGABYTE;

@Injectable()
export class InboundMailService {
  constructor(
    private readonly keys: InboundKeys,
    private readonly queue: InboundQueue,
    private readonly parser: MailParser,
    private readonly deliveryReports: DeliveryReports,
    private readonly log: Log,
  ) {}

  /**
   * Records what a mail reports about a message of the workspace. Other mails are ignored, also those that cannot be
   * read: a mail server would send them again for days, with the same result.
   * @throws NotFound if the key is invalid, Busy if too many reports to the workspace wait, BadRequest if the body is too
   *   large or has another media type
   */
  async receive(key: string, body: UnreadBody): Promise<Receipt> {
    const scope = await this.keys.open(key);
    return this.queue.run(scope, body, async () =>
      this.record(scope, await body.readStart('message/rfc822', MAX_MAIL_BYTES, MAX_USED_BYTES)),
    );
  }

  private async record(scope: WorkspaceScope, raw: Buffer): Promise<Receipt> {
    const mail = await this.read(scope, raw);
    const notice = mail && noticeOf(mail);
    if (!notice) return { matched: 0 };
    const own = mail.header.messageIds('message-id');
    // More are not looked up. The most likely ones come first.
    const found = await this.deliveryReports.find(scope, [...own, ...notice.message_ids].slice(0, MAX_MESSAGE_IDS));
    // A copy of one of our own follow-ups refers to the message before it, but is not a reply.
    const isOurs = own.some((messageId) => found.has(messageId));
    const [id] = isOurs ? [] : notice.message_ids.flatMap((messageId) => found.get(messageId) ?? []);
    if (id === undefined) return { matched: 0 };
    await this.deliveryReports.record(scope, [id], notice.report);
    return { matched: 1 };
  }

  private async read(scope: WorkspaceScope, raw: Buffer): Promise<ReceivedMail | undefined> {
    try {
      return await this.parser.parse(scope, raw);
    } catch (error) {
      if (!(error instanceof UnreadableMail)) throw error;
      this.log.warn('a received mail was ignored', {
        workspace_id: scope.workspace_id,
        bytes: raw.length,
        reason: error.message,
      });
      return undefined;
    }
  }
}
