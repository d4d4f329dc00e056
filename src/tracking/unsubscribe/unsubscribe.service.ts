import { Injectable } from '@nestjs/common';
import { ContactStatuses } from '../../contacts/index.js';
import { sql } from '../../platform/database/index.js';
import { NotFound } from '../../platform/errors/index.js';
import { RecipientLinks } from '../recipient-links.cross-tenant.js';
import { findRecipient, markUnsubscribed, type Recipient } from './unsubscribe.queries.js';

@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly links: RecipientLinks,
    private readonly statuses: ContactStatuses,
  ) {}

  /** Returns whom a token would unsubscribe. @throws NotFound if the token is invalid, or the message or contact was deleted */
  async recipient(token: string): Promise<Recipient> {
    const { scope, message_id: messageId } = this.links.openUnsubscribe(token);
    const recipient = await findRecipient(scope, messageId);
    if (!recipient) throw new NotFound();
    return recipient;
  }

  /** Unsubscribes the recipient, if that has not happened yet. @throws NotFound like {@link recipient} */
  async unsubscribe(token: string): Promise<Recipient> {
    const { scope, message_id: messageId } = this.links.openUnsubscribe(token);
    return scope.transaction(async (tx) => {
      const recipient = await findRecipient(tx, messageId);
      if (!recipient) throw new NotFound();
      await markUnsubscribed(tx, messageId);
      const [contacts, messages] = [sql`SELECT ${recipient.contact_id}::bigint`, sql`SELECT ${messageId}::bigint`];
      await this.statuses.unsubscribe(tx, contacts, messages);
      return recipient;
    });
  }
}
