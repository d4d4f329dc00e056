import { Injectable } from '@nestjs/common';
import { type Mailbox, Mailboxes } from '../../email-accounts/index.js';
import { Log } from '../../platform/logging/index.js';
import { type WorkspaceScope } from '../../platform/tenancy/index.js';
import { MessageLinks } from '../links.js';
import { Transports } from '../transports/index.js';
import { AccountSlice } from './account-slice.js';
import { claim } from './claim.queries.js';
import { type AccountLane } from './delivery.js';
import { Leases } from './leases.js';
import { Recorder } from './recorder.js';
import { WorkspaceBatches } from './workspace-batches.js';
import { WORKER } from './worker-id.js';

/** Sends what is due from one account. */
@Injectable()
export class SendingEngine {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly transports: Transports,
    private readonly recorder: Recorder,
    private readonly batches: WorkspaceBatches,
    private readonly links: MessageLinks,
    private readonly leases: Leases,
    private readonly log: Log,
  ) {}

  /** Works on the account for a slice of time; says whether more is due. */
  async drain(scope: WorkspaceScope, accountId: number, stopping: AbortSignal): Promise<'done' | 'more'> {
    const mailbox = await this.mailboxes.find(scope, accountId);
    if (!mailbox) return 'done';
    if (!mailbox.is_active) {
      // The claim writes down that messages wait for the account.
      await claim(scope, accountId, WORKER, 1);
      return 'done';
    }
    const end = await new AccountSlice(this.laneOf(scope, mailbox), mailbox, this.transports, stopping).run();
    switch (end.kind) {
      case 'done':
      case 'more':
        return end.kind;
      case 'login refused':
        await this.mailboxes.deactivate(scope, accountId, end.error.message);
        return 'done';
      case 'unavailable':
        this.log.warn('a mail server is unavailable', { email_account_id: accountId, reason: end.error.message });
        await this.recorder.unreachable(scope, accountId, end.error.message);
        return 'done';
      default:
        return end satisfies never;
    }
  }

  private laneOf(scope: WorkspaceScope, mailbox: Mailbox): AccountLane {
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
