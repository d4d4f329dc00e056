import { Injectable } from '@nestjs/common';
import { LoginRefused, ProviderUnavailable } from '@outreach/mail-sessions';
import { NotFound } from '@outreach/http-errors';
import { DomainEvents } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { ImapSessions } from './imap-sessions.js';
import { endReadingPause } from './email-accounts.queries.js';
import { type Mailbox, Mailboxes } from './mailboxes.js';
import { SmtpSessions } from './smtp-sessions.js';

const TIMEOUT_MS = 10_000;

/** The result of a test, with a message for the owner of the account. */
export interface ConnectionTestResult {
  readonly success: boolean;
  readonly message: string;
}

/** An account of a sandbox opens no connection. */
const IN_SANDBOX: ConnectionTestResult = {
  success: true,
  message: 'The workspace is a sandbox: no server is asked, and its simulated mail server accepts every login.',
};

interface Attempt {
  readonly success: boolean;
  readonly message: string | undefined;
}

/** Tests whether an account can log in, without sending anything. */
@Injectable()
export class ConnectionTest {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly smtpSessions: SmtpSessions,
    private readonly imapSessions: ImapSessions,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Connects to the servers of the account and logs in, within 10 seconds. What waits because its provider could not be used is
   * due after a success: its messages, and its mailbox. @throws NotFound
   */
  async run(scope: WorkspaceScope, id: number): Promise<ConnectionTestResult> {
    const mailbox = await this.mailboxes.find(scope, id);
    if (!mailbox) throw new NotFound('Email account');
    if (await scope.isSandbox()) return IN_SANDBOX;
    const [sending, reading] = await Promise.all([
      this.attempt(async () => this.smtpSessions.logIn(scope, mailbox.credentials, { timeoutMs: TIMEOUT_MS })),
      this.attempt(() => this.read(scope, mailbox)),
    ]);
    if (sending.success)
      await scope.transaction((tx) => this.events.publish(tx, 'email_account.reachable', { email_account_id: id }));
    const { message: read } = reading;
    // Both fail in the same way without usable credentials.
    if (read === undefined || read === sending.message) return { ...sending, message: sending.message ?? '' };
    return {
      success: sending.success && reading.success,
      message: `SMTP: ${sending.message ?? ''} IMAP: ${read}`,
    };
  }

  private async attempt(logIn: () => Promise<string | undefined>): Promise<Attempt> {
    try {
      return { success: true, message: await logIn() };
    } catch (error) {
      const isExpected = error instanceof LoginRefused || error instanceof ProviderUnavailable;
      if (!isExpected) throw error;
      return { success: false, message: error.message };
    }
  }

  /** @returns undefined if the mailbox is not read */
  private async read(scope: WorkspaceScope, mailbox: Mailbox): Promise<string | undefined> {
    const session = await this.imapSessions.open(scope, mailbox, { timeoutMs: TIMEOUT_MS });
    if (!session) return undefined;
    session.close();
    const lastError = await endReadingPause(scope, mailbox.id);
    return lastError === null
      ? 'The mailbox can be read.'
      : `The login works. When the mailbox was read last: ${lastError}`;
  }
}
