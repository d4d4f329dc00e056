import { Injectable } from '@nestjs/common';
import type { Mailbox } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageLinks } from '../links.js';
import type { AccountLane } from './delivery.js';
import { Leases } from './leases.js';
import { Recorder } from './recorder.js';
import { WorkspaceBatches } from './workspace-batches.js';

/** Puts together what the hand-overs from one account share. */
@Injectable()
export class AccountLanes {
  constructor(
    private readonly recorder: Recorder,
    private readonly batches: WorkspaceBatches,
    private readonly links: MessageLinks,
    private readonly leases: Leases,
  ) {}

  of(scope: WorkspaceScope, mailbox: Mailbox): AccountLane {
    return {
      scope,
      account_id: mailbox.id,
      sender: { name: mailbox.from_name, email: mailbox.from_email },
      batches: this.batches.of(scope),
      recorder: this.recorder,
      links: this.links,
      leases: this.leases,
    };
  }
}
