import { Injectable } from '@nestjs/common';
import { GlobalBlacklist } from '../blacklist/index.js';
import { isEmailAddress } from '../platform/http/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { type MessageRecord, messageRecords, OwnMessages } from '../sending/index.js';
import { answerSubject } from './answer-subject.js';
import type { AnswerReplyDto } from './dto/answer-reply.dto.js';
import { findObstacle } from './replies.queries.js';
import { Reply } from './reply.entity.js';
import { AddressUnusable, NoAccount, RecipientRefused } from './reply.errors.js';

@Injectable()
export class RepliesService {
  constructor(
    private readonly messages: OwnMessages,
    private readonly blacklist: GlobalBlacklist,
  ) {}

  /**
   * Queues an answer to the sender of a reply, in the same thread and from the account to which the reply was sent.
   * @throws NotFound if the reply was deleted in the meantime; RecipientRefused, AddressUnusable, NoAccount
   */
  async answer(scope: WorkspaceScope, { id }: Reply, { body }: AnswerReplyDto): Promise<MessageRecord> {
    const messageId = await scope.transaction(async (tx) => {
      const reply = await tx.of(Reply).lock(id);
      const obstacle = await findObstacle(tx, reply, this.blacklist);
      if (obstacle) throw new RecipientRefused(obstacle);
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
