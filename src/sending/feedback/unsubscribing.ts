import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import type { CampaignLanguage } from '../../campaigns/index.js';
import { type ChangeSource, ContactStatuses } from '../../contacts/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { contactLanguage } from '../composing/footer.js';
import type { UnsubscribeRef } from '../message-links.js';
import { Engagement } from './engagement.js';
import {
  brandOfOpenWorkspace,
  findRecipient,
  lockRecipient,
  type MessageContact,
  type ShownBrand,
} from './unsubscribing.queries.js';

/** A message, and the address that it was sent to if the token contains it. */
export type UnsubscribedMessage = Pick<UnsubscribeRef, 'message_id' | 'address'>;

/** Whom a token unsubscribes, and from whose messages. */
export interface UnsubscribedRecipient extends ShownBrand {
  readonly email: string;
  /** Null if the message, its contact or the account that has sent it was deleted. */
  readonly sender_name: string | null;
  /** The language of the contact's custom fields; null if they name none. */
  readonly contact_language: CampaignLanguage | null;
  readonly campaign_language: CampaignLanguage | null;
}

/** Unsubscribes the recipients of messages by the signed token of a link or of a mail. */
@Injectable()
export class Unsubscribing {
  constructor(
    private readonly statuses: ContactStatuses,
    private readonly engagement: Engagement,
  ) {}

  /**
   * Returns whom a token would unsubscribe: the address that the message was sent to.
   * @throws NotFound if the workspace was deleted, or the contact was deleted and the token does not contain the address
   */
  async recipient(scope: WorkspaceScope, message: UnsubscribedMessage): Promise<UnsubscribedRecipient> {
    return recipientOf(scope, message, await findRecipient(scope, message.message_id));
  }

  /**
   * Unsubscribes the recipient, if that has not happened yet: the contact, and the address that the message was sent to
   * if the contact was deleted or has another one now. @throws NotFound like {@link recipient}
   */
  async unsubscribe(
    scope: WorkspaceScope,
    message: UnsubscribedMessage,
    source: ChangeSource,
  ): Promise<UnsubscribedRecipient> {
    return scope.transaction(async (tx) => {
      const contact = await lockRecipient(tx, message.message_id);
      const recipient = await recipientOf(tx, message, contact);
      if (contact) await this.unsubscribeContact(tx, { ...contact, message_id: message.message_id }, source);
      if (contact?.email !== recipient.email) await this.statuses.unsubscribeAddress(tx, recipient.email, source);
      return recipient;
    });
  }

  /**
   * The recipient refuses the measurement of opens and clicks: the contact, and the one that has the address that the
   * message was sent to now, if it is another one. Nothing is measured of a contact that was deleted.
   * @throws NotFound like {@link recipient}
   */
  async refuseTracking(scope: WorkspaceScope, message: UnsubscribedMessage): Promise<UnsubscribedRecipient> {
    return scope.transaction(async (tx) => {
      const contact = await lockRecipient(tx, message.message_id);
      const recipient = await recipientOf(tx, message, contact);
      if (contact) await this.statuses.refuseTracking(tx, contact.contact_id);
      if (contact?.email !== recipient.email) await this.statuses.refuseTrackingOf(tx, recipient.email);
      return recipient;
    });
  }

  private async unsubscribeContact(
    tx: WorkspaceScope,
    { contact_id: contactId, message_id: messageId }: MessageContact & { readonly message_id: number },
    source: ChangeSource,
  ): Promise<void> {
    await this.engagement.recordUnsubscribe(tx, messageId);
    const through = sql`SELECT ${messageId}::bigint`;
    await this.statuses.unsubscribe(tx, sql`SELECT ${contactId}::bigint`, { source, through });
  }
}

async function recipientOf(
  scope: WorkspaceScope,
  { address }: UnsubscribedMessage,
  contact: MessageContact | undefined,
): Promise<UnsubscribedRecipient> {
  const email = address ?? contact?.email;
  const brand = email === undefined ? undefined : await brandOfOpenWorkspace(scope);
  if (email === undefined || !brand) throw new NotFound();
  const { sender_name = null, campaign_language = null, custom_fields = {} } = contact ?? {};
  const language = contactLanguage(custom_fields) ?? null;
  return { email, sender_name, contact_language: language, campaign_language, ...brand };
}
