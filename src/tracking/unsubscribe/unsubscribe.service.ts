import { Injectable } from '@nestjs/common';
import { ContactStatuses } from '../../contacts/index.js';
import { sql } from '../../platform/database/index.js';
import { NotFound } from '../../platform/errors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Engagement } from '../../sending/index.js';
import { RecipientLinks, type UnsubscribeLink } from '../recipient-links.cross-tenant.js';
import type { Recipient } from './unsubscribe.pages.js';
import { findRecipient, isWorkspaceOpen, lockRecipient, type MessageContact } from './unsubscribe.queries.js';

@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly links: RecipientLinks,
    private readonly statuses: ContactStatuses,
    private readonly engagement: Engagement,
  ) {}

  /**
   * Returns whom a token would unsubscribe: the address that the message was sent to.
   * @throws NotFound if the token is invalid, its workspace was deleted, or the contact was deleted and the link does not
   *   contain the address
   */
  async recipient(token: string): Promise<Recipient> {
    const link = this.links.openUnsubscribe(token);
    return recipientOf(link.scope, link, await findRecipient(link.scope, link.message_id));
  }

  /**
   * Unsubscribes the recipient, if that has not happened yet: the contact, and the address that the message was sent to
   * if the contact was deleted or has another one now. @throws NotFound like {@link recipient}
   */
  async unsubscribe(token: string): Promise<Recipient> {
    const link = this.links.openUnsubscribe(token);
    return link.scope.transaction(async (tx) => {
      const contact = await lockRecipient(tx, link.message_id);
      const recipient = await recipientOf(tx, link, contact);
      if (contact) await this.unsubscribeContact(tx, link.message_id, contact);
      if (contact?.email !== recipient.email) await this.statuses.unsubscribeAddress(tx, recipient.email);
      return recipient;
    });
  }

  private async unsubscribeContact(tx: WorkspaceScope, messageId: number, contact: MessageContact): Promise<void> {
    await this.engagement.recordUnsubscribe(tx, messageId);
    const [contacts, messages] = [sql`SELECT ${contact.contact_id}::bigint`, sql`SELECT ${messageId}::bigint`];
    await this.statuses.unsubscribe(tx, contacts, messages);
  }
}

async function recipientOf(
  scope: WorkspaceScope,
  { address }: UnsubscribeLink,
  contact: MessageContact | undefined,
): Promise<Recipient> {
  const email = address ?? contact?.email;
  if (email === undefined || !(await isWorkspaceOpen(scope))) throw new NotFound();
  return { email };
}
