import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { Database } from '../platform/database/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { type MessageLink, MessageLinks, type MessageRef, type UnsubscribeRef } from '../sending/index.js';

/** The message of a link, in its workspace. It may have been deleted. */
export interface LinkedMessage {
  /** Opens the workspace, or returns the open transaction. */
  readonly open: () => Promise<WorkspaceScope>;
  readonly message_id: number;
}

/** The target of a click, with its message. */
export type FollowedLink = LinkedMessage & Pick<MessageLink, 'link' | 'url'>;

/** What an unsubscribe link refers to, with the address that its message was sent to if the link contains it. */
export type UnsubscribeLink = LinkedMessage & Pick<UnsubscribeRef, 'address'>;

/**
 * Opens the workspace that a link belongs to, or checks that it is that of the open transaction which is passed. The
 * signed token contains the IDs of the workspace and the message.
 */
@Injectable()
export class RecipientLinks {
  constructor(
    private readonly links: MessageLinks,
    private readonly database: Database,
  ) {}

  /** @throws NotFound if the signature of the token is invalid */
  openUnsubscribe(token: string, tx?: WorkspaceScope): UnsubscribeLink {
    const ref = this.links.unsubscribeRef(token);
    return { ...this.open(ref, tx), ...(ref?.address !== undefined && { address: ref.address }) };
  }

  /** @throws NotFound if the signature of the token is invalid */
  openPixel(token: string, tx?: WorkspaceScope): LinkedMessage {
    return this.open(this.links.openRef(token), tx);
  }

  /** @throws NotFound if the signature of the token is invalid */
  openClick(token: string, tx?: WorkspaceScope): FollowedLink {
    const followed = this.links.clickedLink(token);
    if (!followed) throw new NotFound();
    return { ...this.open(followed, tx), link: followed.link, url: followed.url };
  }

  private open(ref: MessageRef | undefined, tx: WorkspaceScope | undefined): LinkedMessage {
    if (!ref || (tx && ref.workspace_id !== tx.workspace_id)) throw new NotFound();
    const open = async (): Promise<WorkspaceScope> => tx ?? WorkspaceScope.open(ref.workspace_id, this.database);
    return { open, message_id: ref.message_id };
  }
}
