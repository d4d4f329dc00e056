import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type UnsubscribedRecipient, Unsubscribing } from '../../sending/index.js';
import { RecipientLinks } from '../recipient-links.cross-tenant.js';
import type { UnsubscribeSource } from './unsubscribe-form.js';

@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly links: RecipientLinks,
    private readonly unsubscribing: Unsubscribing,
  ) {}

  /**
   * Returns whom a token would unsubscribe: the address that the message was sent to.
   * @throws NotFound if the token is invalid, its workspace was deleted, or the contact was deleted and the link does not
   *   contain the address
   */
  async recipient(token: string): Promise<UnsubscribedRecipient> {
    const link = this.links.openUnsubscribe(token);
    return this.unsubscribing.recipient(await link.open(), link);
  }

  /**
   * Unsubscribes the recipient, if that has not happened yet.
   * @param tx the open transaction, if there is one
   * @throws NotFound like {@link recipient}
   */
  async unsubscribe(token: string, source: UnsubscribeSource, tx?: WorkspaceScope): Promise<UnsubscribedRecipient> {
    const link = this.links.openUnsubscribe(token, tx);
    return this.unsubscribing.unsubscribe(await link.open(), link, source);
  }

  /** The recipient refuses the measurement of opens and clicks. @throws NotFound like {@link recipient} */
  async refuseTracking(token: string, tx?: WorkspaceScope): Promise<UnsubscribedRecipient> {
    const link = this.links.openUnsubscribe(token, tx);
    return this.unsubscribing.refuseTracking(await link.open(), link);
  }
}
