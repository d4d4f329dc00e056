import { Injectable } from '@nestjs/common';
import type { EmailAccountEvent } from '../email-accounts/index.js';
import { sql } from '../platform/database/index.js';
import { DomainEvents, OnDomainEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { Absences, type ReplyReceived, Unsubscribing } from '../sending/index.js';
import { detachAccountFromReplies, insertReply } from './replies.queries.js';

/** Stores the replies that are received, in the transaction that records what follows for their messages. */
@Injectable()
export class RepliesListener {
  constructor(
    private readonly absences: Absences,
    private readonly unsubscribing: Unsubscribing,
    private readonly events: DomainEvents,
  ) {}

  /**
   * A person who writes is not away any more; an automatic reply without a date changes nothing. A reply that asks to be
   * unsubscribed unsubscribes the contact once: a mail that is received again after a new subscription changes nothing.
   */
  @OnDomainEvent('reply.received')
  async received(tx: WorkspaceScope, event: ReplyReceived): Promise<void> {
    const stored = await insertReply(tx, event);
    if (!stored) return;
    const { classification, returns_on: returnsOn, received_at: receivedAt } = event.reply;
    if (event.reply.asks_to_unsubscribe)
      await this.unsubscribing.unsubscribe(tx, { message_id: stored.answered_id }, 'mail');
    if (classification === 'reply') await this.absences.end(tx, stored.contact_id, receivedAt);
    if (classification === 'out_of_office' && returnsOn !== null)
      await this.absences.begin(tx, stored.contact_id, { returns_on: returnsOn, reported_at: receivedAt });
    await this.events.publish(tx, 'email.replied', { replies: sql`SELECT ${stored.id}::bigint` });
  }

  @OnDomainEvent('email_account.deleted')
  accountDeleted(tx: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    return detachAccountFromReplies(tx, id);
  }
}
