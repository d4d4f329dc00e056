import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { MessageLinks } from '../sending/index.js';

/** The message that a link belongs to, in its workspace. The message may be gone by now. */
export interface LinkedMessage {
  readonly scope: WorkspaceScope;
  readonly message_id: number;
}

/** Opens the workspace for those who hold a link of one of its messages: the link is signed, and names both. */
@Injectable()
export class RecipientLinks {
  constructor(
    private readonly links: MessageLinks,
    private readonly database: Database,
  ) {}

  /** @throws NotFound for a token that was not made here */
  openUnsubscribe(token: string): LinkedMessage {
    const ref = this.links.unsubscribeRef(token);
    if (!ref) throw new NotFound();
    return { scope: WorkspaceScope.open(ref.workspace_id, this.database), message_id: ref.message_id };
  }
}
