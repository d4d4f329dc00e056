import { Injectable } from '@nestjs/common';
import { isEmailAddress } from '@outreach/email-addresses';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { type MessageRecord, messageRecords, OwnMessages, RecipientObstacles } from '../sending/index.js';
import { answerSubject } from './answer-subject.js';
import type { AnswerReplyDto } from './reply.dto.js';
import { Reply } from './reply.entity.js';
import { AddressUnusable, NoAccount } from './reply.errors.js';

@Injectable()
export class RepliesService {
  constructor(
    private readonly messages: OwnMessages,
    private readonly obstacles: RecipientObstacles,
  ) {}

  /**
   * Queues an answer to the sender of a reply, in the same thread and from the account to which the reply was sent.
   * @throws NotFound if the reply was deleted in the meantime; RecipientRefused, AddressUnusable, NoAccount
   */
  async answer(scope: WorkspaceScope, { id }: Reply, { body }: AnswerReplyDto): Promise<MessageRecord> {
    const messageId = await scope.transaction(async (tx) => {
      const reply = await tx.of(Reply).lock(id);
      await this.obstacles.assertMayReceive(tx, { address: reply.from_address, contact_id: reply.contact_id });
      if (!isEmailAddress(reply.from_address)) throw new AddressUnusable();
      return this.messages.queue(tx, answerTo(reply, body));
    });
    if (messageId === undefined) throw new NoAccount();
    return messageRecords(scope).get(messageId);
  }
}

/** The thread is our message and the reply (RFC 5322, 3.6.4). */
const answerTo = (reply: Reply, body: string) => ({
  campaign_id: reply.campaign_id,
  enrollment_id: reply.enrollment_id,
  contact_id: reply.contact_id,
  email_account_id: reply.email_account_id,
  reply_id: reply.id,
  to_address: reply.from_address,
  subject: answerSubject(reply.subject),
  body,
  thread: [reply.message_id, reply.received_message_id].filter((messageId) => messageId !== null),
});
