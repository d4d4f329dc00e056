import { Injectable } from '@nestjs/common';
import { type Mailbox, Mailboxes } from '../../email-accounts/index.js';
import { Log } from '../../platform/logging/index.js';
import { WORKER } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { senderAddress } from '../../templates/index.js';
import { PendingResults } from '../results/index.js';
import { Transports } from '../transports/index.js';
import { AccountRun, type RunEnd } from './account-run.js';
import { claim } from './claim.queries.js';
import { MessageLeases } from './message-leases.js';
import { MessageSender } from './message-sender.js';

/** Sends the due messages of one account. */
@Injectable()
export class SendingEngine {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly sender: MessageSender,
    private readonly results: PendingResults,
    private readonly leases: MessageLeases,
    private readonly transports: Transports,
    private readonly log: Log,
  ) {}

  /** Sends for a limited time. @returns `more` if more is due */
  async drain(scope: WorkspaceScope, accountId: number, stopping: AbortSignal): Promise<'done' | 'more'> {
    const mailbox = await this.mailboxes.find(scope, accountId);
    if (!mailbox) return 'done';
    if (!mailbox.is_active) {
      // The claim records that the messages wait for the account.
      await claim(scope, accountId, WORKER, 1);
      return 'done';
    }
    return this.settle(scope, accountId, await this.run(scope, mailbox, stopping));
  }

  private async run(scope: WorkspaceScope, mailbox: Mailbox, stopping: AbortSignal): Promise<RunEnd> {
    const { sender, results, leases, transports } = this;
    const context = {
      scope,
      account_id: mailbox.id,
      sender: {
        name: mailbox.from_name,
        email: mailbox.from_email,
        postal_address: (await senderAddress(scope)) ?? '',
      },
    };
    return new AccountRun(context, mailbox, { sender, results, leases, transports }, stopping).run();
  }

  private async settle(scope: WorkspaceScope, accountId: number, end: RunEnd): Promise<'done' | 'more'> {
    switch (end.kind) {
      case 'done':
      case 'more':
        return end.kind;
      case 'login refused':
        await this.mailboxes.deactivate(scope, accountId, end.error.message);
        return 'done';
      case 'unavailable':
        this.log.warn('a mail server is unavailable', { email_account_id: accountId, reason: end.error.message });
        await this.results.recordUnreachable(scope, accountId, end.error.message);
        return 'done';
      default:
        return end satisfies never;
    }
  }
}
