import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageLinks, Unsubscribing } from '../../sending/index.js';

/** Unsubscribes by mails to the `mailto:` address of the header `List-Unsubscribe` (RFC 2369). */
@Injectable()
export class UnsubscribeMails {
  constructor(
    private readonly links: MessageLinks,
    private readonly unsubscribing: Unsubscribing,
  ) {}

  /**
   * Unsubscribes the recipient of the message that the token in a subject refers to, whoever writes.
   * @returns false if the subject has no token of the workspace, or the contact does not exist any more
   */
  async record(scope: WorkspaceScope, subject: string): Promise<boolean> {
    const ref = this.links.unsubscribeRefIn(subject);
    if (ref?.workspace_id !== scope.workspace_id) return false;
    try {
      await this.unsubscribing.unsubscribe(scope, ref, 'mail');
      return true;
    } catch (error) {
      if (error instanceof NotFound) return false;
      throw error;
    }
  }
}
