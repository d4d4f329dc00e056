import { Injectable } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { type DrainPlace, WORKER } from '@outreach/job-queue';
import { type ProviderUnavailable, SmtpUnavailable } from '@outreach/mail-sessions';
import { type Mailbox, Mailboxes } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { brandValues, workspaceIdentity } from '../../templates/index.js';
import { AccountRun } from './account-run.js';
import { PIPELINE } from '../pipeline.js';
import { Recovery } from './recovery.js';
import { RunClaims } from './run-claims.js';
import { RunDependencies, type RunOptions } from './run-context.js';
import { connectionsTo, type RunEnd } from './run-end.js';

/** Sends the due messages of one account. */
@Injectable()
export class SendingEngine {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly runs: RunDependencies,
    private readonly recovery: Recovery,
    private readonly log: Log,
  ) {}

  /**
   * Sends for a limited time. While all connections that the account may have are in use or being opened, its server is waited
   * for without the place.
   * @returns `more` if more is due
   */
  async drain(
    scope: WorkspaceScope,
    accountId: number,
    stopping: AbortSignal,
    place: DrainPlace,
  ): Promise<'done' | 'more'> {
    const { slowSends, servers } = this.runs;
    while (!stopping.aborted) {
      const mailbox = await this.mailboxes.find(scope, accountId);
      if (!mailbox) return 'done';
      if (!mailbox.is_active) {
        // The claim records that the messages wait for the account.
        await PIPELINE.claim(scope, accountId, WORKER, 1);
        return 'done';
      }
      const otherConnections = slowSends.connections(scope, accountId);
      const maxConnections = Math.min(
        connectionsTo(mailbox) - slowSends.openings(scope, accountId),
        servers.maxSessions({ scope, account_id: accountId }) - otherConnections,
      );
      if (maxConnections > 0) {
        const settleLate = (end: RunEnd) => this.settle(scope, mailbox, end);
        const options = { maxConnections, otherConnections, stopping, settleLate, log: this.log };
        return settleLate(await this.run(scope, mailbox, options));
      }
      // Its messages are closed when the process stops.
      await place.waitWithout(() => slowSends.nextFree(scope, accountId));
    }
    return 'done';
  }

  /** The process stops: messages whose servers have not replied after `milliseconds` are not waited for any more. */
  closeAfter(milliseconds: number): void {
    this.runs.slowSends.closeAfter(milliseconds);
  }

  /** Resolves when all results are recorded. Uncertain messages are counted then, because no other worker may run. */
  async ended(): Promise<void> {
    if (!(await this.runs.slowSends.ended())) return;
    await this.recovery.recover().catch((error: unknown) => {
      this.log.warn('the uncertain messages are counted by the next worker', { error });
    });
  }

  private async run(scope: WorkspaceScope, mailbox: Mailbox, options: RunOptions): Promise<RunEnd> {
    const { from_name: name, from_email: email } = mailbox;
    const { postal_address: address, ...identity } = await workspaceIdentity(scope);
    const identified = {
      postal_address: address ?? '',
      link_domain: identity.link_domain,
      brand: brandValues(identity, name),
    };
    const sender = { name, email, reads_mailbox: mailbox.reads_mailbox, ...identified };
    const context = { scope, account_id: mailbox.id, provider: mailbox.provider, sender };
    const { results, leases } = this.runs;
    const claims = new RunClaims({ ...context, results, leases });
    return new AccountRun({ ...context, mailbox, claims }, this.runs, options).run();
  }

  /** A server that does not reply is away for all of its accounts; what one replies may be about this one. */
  private logUnavailable({ id, server }: Mailbox, error: ProviderUnavailable): void {
    const account = { email_account_id: id };
    if (error instanceof SmtpUnavailable && !error.reply) this.log.lost(server, error, account);
    else this.log.warn('a mail server is unavailable', { ...account, reason: error.message });
  }

  /** @param mailbox as the run has used it: its owner may have changed it since */
  private async settle(scope: WorkspaceScope, mailbox: Mailbox, end: RunEnd): Promise<'done' | 'more'> {
    const accountId = mailbox.id;
    switch (end.kind) {
      case 'done':
      case 'more':
        return end.kind;
      case 'limited':
        this.log.warn('an account has reached a limit of its provider', { email_account_id: accountId });
        await this.runs.results.recordLimit(scope, accountId, end.limit);
        // The claim postpones what is due.
        await PIPELINE.claim(scope, accountId, WORKER, 1);
        return 'done';
      case 'login refused':
        return (await this.mailboxes.deactivateLogin(scope, mailbox, end.error.message)) ? 'done' : 'more';
      case 'unavailable':
        this.logUnavailable(mailbox, end.error);
        await this.runs.results.recordUnreachable(scope, accountId, end.minutes);
        return 'done';
      default:
        return end satisfies never;
    }
  }
}
