import { Injectable } from '@nestjs/common';
import type { Mailbox } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageLinks } from '../message-links.js';
import type { SendContext } from './send-message.js';
import { MessageLeases } from './message-leases.js';
import { SendResults } from '../results/send-results.js';
import { WorkspaceBatches } from './workspace-batches.js';

/** Puts together what the hand-overs from one account share. */
@Injectable()
export class SendContexts {
  constructor(
    private readonly results: SendResults,
    private readonly batches: WorkspaceBatches,
    private readonly links: MessageLinks,
    private readonly leases: MessageLeases,
  ) {}

  of(scope: WorkspaceScope, mailbox: Mailbox): SendContext {
    return {
      scope,
      account_id: mailbox.id,
      sender: { name: mailbox.from_name, email: mailbox.from_email },
      batches: this.batches.of(scope),
      results: this.results,
      links: this.links,
      leases: this.leases,
    };
  }
}
