import { Inject, Injectable } from '@nestjs/common';
import { reportedText } from '@outreach/mail-reading';
import {
  type ImapSession,
  ImapUnavailable,
  LoginRefused,
  ProviderUnavailable,
  ReopenedSession,
} from '@outreach/mail-sessions';
import { ImapSessions, type Mailbox, Mailboxes } from '../../email-accounts/index.js';
import { Log } from '@outreach/logging';
import { CONFIG } from '../../platform/config/index.js';
import { sql } from '../../platform/database/index.js';
import { Busy } from '../../platform/errors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { InboundConfig } from '../inbound.settings.js';
import { MailboxReader } from './mailbox-reader.js';
import { type LeasedReading, LeaseLost, type RunResult } from './reading-leases.queries.js';

/** The longest pause after failures, if mailboxes are not read less often anyway. */
const MAX_BACKOFF_SECONDS = 900;

const nameOf = (id: number): string => `mailbox of email account ${id}`;

/** Connects to a leased mailbox, reads it, and decides when it is read again. */
@Injectable()
export class MailboxRuns {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly sessions: ImapSessions,
    private readonly reader: MailboxReader,
    private readonly log: Log,
    @Inject(CONFIG) private readonly config: InboundConfig,
  ) {}

  /** Failures of the server are results. @throws LeaseLost if the mailbox is not to be read by this worker */
  async run(scope: WorkspaceScope, id: number, leased: LeasedReading, stopping: AbortSignal): Promise<RunResult> {
    const mailbox = await this.mailboxes.find(scope, id);
    if (!mailbox) throw new LeaseLost();
    try {
      const result = await this.read(scope, mailbox, leased, stopping);
      this.log.restored(nameOf(id));
      return result;
    } catch (error) {
      if (error instanceof Busy) return this.failed(error.message);
      if (!(error instanceof LoginRefused || error instanceof ProviderUnavailable)) throw error;
      if (error instanceof ImapUnavailable) this.log.lost(nameOf(id), error, { email_account_id: id });
      else this.log.warn('a mailbox cannot be read', { email_account_id: id, reason: error.message });
      if (error instanceof LoginRefused) await this.loginRefused(scope, mailbox, error);
      return this.failed(error.message);
    }
  }

  /**
   * The pause doubles with each failure. Its random part spreads the mailboxes of a server that was away.
   * @param reason is shown to the owner of the account
   */
  failed(reason: string): RunResult {
    const { mailbox_poll_seconds: seconds } = this.config;
    const longest = Math.max(seconds, MAX_BACKOFF_SECONDS);
    return {
      kind: 'failed',
      reason: reportedText(reason),
      next_seconds: (failures) =>
        sql`least(${longest}, ${seconds} * 2.0 ^ least(${failures}, 20)) * (0.8 + 0.4 * ${sql.random})`,
    };
  }

  private async read(
    scope: WorkspaceScope,
    mailbox: Mailbox,
    { read_from, failures }: LeasedReading,
    stopping: AbortSignal,
  ): Promise<RunResult> {
    const session = new ReopenedSession(() => this.open(scope, mailbox));
    try {
      const run = {
        account_id: mailbox.id,
        read_from,
        session,
        one_by_one: failures > 0,
        stopping,
        counts: { failed: 0 },
      };
      const result = await this.reader.read(scope, run);
      return result === 'more'
        ? { kind: 'more' }
        : { kind: 'read to the end', next_seconds: this.config.mailbox_poll_seconds };
    } finally {
      session.close();
    }
  }

  /** @throws LeaseLost if the mailbox is not read any more */
  private async open(scope: WorkspaceScope, mailbox: Mailbox): Promise<ImapSession> {
    const session = await this.sessions.open(scope, mailbox);
    if (!session) throw new LeaseLost();
    return session;
  }

  /**
   * A password for IMAP alone is not needed for sending, so its account stays active. An access token is needed for both,
   * and this one was fresh.
   */
  private async loginRefused(scope: WorkspaceScope, mailbox: Mailbox, error: LoginRefused): Promise<void> {
    if (!mailbox.isConnected || error.name !== 'ImapLoginRefused') return;
    await this.mailboxes.deactivate(scope, mailbox.id, 'login_refused', error.message);
  }
}
