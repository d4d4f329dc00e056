import { Injectable } from '@nestjs/common';
import { MEGABYTE, type UnreadBody } from '../../platform/http/index.js';
import { DeliveryReports } from '../../sending/index.js';
import { InboundKeys } from '../inbound-keys.cross-tenant.js';
import type { Receipt } from '../inbound.view.js';
import { noticeOf } from './notice.js';
import { readMail } from './received-mail.js';

const MAX_MAIL_BYTES = 10 * MEGABYTE;

@Injectable()
export class InboundMailService {
  constructor(
    private readonly keys: InboundKeys,
    private readonly deliveryReports: DeliveryReports,
  ) {}

  /**
   * Records what a mail reports about a message of the workspace. Other mails are ignored.
   * @throws NotFound if the key is invalid, BadRequest if the body is too large or not a mail
   */
  async receive(key: string, body: UnreadBody): Promise<Receipt> {
    const scope = await this.keys.open(key);
    const mail = await readMail(await body.read('message/rfc822', MAX_MAIL_BYTES));
    const notice = noticeOf(mail);
    if (!notice) return { matched: 0 };
    const own = mail.header.messageIds('message-id');
    const found = await this.deliveryReports.find(scope, [...own, ...notice.message_ids]);
    // A copy of one of our own follow-ups refers to the message before it, but is not a reply.
    const isOurs = own.some((messageId) => found.has(messageId));
    const [id] = isOurs ? [] : notice.message_ids.flatMap((messageId) => found.get(messageId) ?? []);
    if (id === undefined) return { matched: 0 };
    await this.deliveryReports.record(scope, [id], notice.report);
    return { matched: 1 };
  }
}
