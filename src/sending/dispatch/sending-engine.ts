import { Injectable } from '@nestjs/common';
import { Mailboxes } from '../../email-accounts/index.js';
import { Log } from '../../platform/logging/index.js';
import { WORKER } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Transports } from '../transports/index.js';
import { SendContexts } from './send-contexts.js';
import { AccountRun } from './account-run.js';
import { claim } from './claim.queries.js';

/** Sends what is due from one account. */
@Injectable()
export class SendingEngine {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly transports: Transports,
    private readonly contexts: SendContexts,
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
    const context = this.contexts.of(scope, mailbox);
    const end = await new AccountRun(context, mailbox, this.transports, stopping).run();
    switch (end.kind) {
      case 'done':
      case 'more':
        return end.kind;
      case 'login refused':
        await this.mailboxes.deactivate(scope, accountId, end.error.message);
        return 'done';
      case 'unavailable':
        this.log.warn('a mail server is unavailable', { email_account_id: accountId, reason: end.error.message });
        await context.results.unreachable(scope, accountId, end.error.message);
        return 'done';
      default:
        return end satisfies never;
    }
  }
}
