import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { type MessageLink, MessageLinks, type MessageRef } from '../sending/index.js';

/** The message that a link belongs to, in its workspace. The message may be gone by now. */
export interface LinkedMessage {
  readonly scope: WorkspaceScope;
  readonly message_id: number;
}

/** A link that was followed, with its message. */
export type FollowedLink = LinkedMessage & Pick<MessageLink, 'link' | 'url'>;

/** Opens the workspace for those who hold a link of one of its messages: the link is signed, and names both. */
@Injectable()
export class RecipientLinks {
  constructor(
    private readonly links: MessageLinks,
    private readonly database: Database,
  ) {}

  /** @throws NotFound for a token that was not made here */
  openUnsubscribe(token: string): LinkedMessage {
    return this.open(this.links.unsubscribeRef(token));
  }

  /** @throws NotFound for a token that was not made here */
  openPicture(token: string): LinkedMessage {
    return this.open(this.links.openRef(token));
  }

  /** @throws NotFound for a token that was not made here */
  openClick(token: string): FollowedLink {
    const followed = this.links.clickedLink(token);
    if (!followed) throw new NotFound();
    return { ...this.open(followed), link: followed.link, url: followed.url };
  }

  private open(ref: MessageRef | undefined): LinkedMessage {
    if (!ref) throw new NotFound();
    return { scope: WorkspaceScope.open(ref.workspace_id, this.database), message_id: ref.message_id };
  }
}
