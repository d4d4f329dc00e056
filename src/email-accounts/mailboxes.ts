import { Injectable } from '@nestjs/common';
import type { ImapSettings } from '@outreach/mail-sessions';
import { Log } from '@outreach/logging';
import { DomainEvents } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { Credentials } from './credentials.js';
import { type DisabledReason, isRead } from './email-account.entity.js';
import { deactivate, findStored, type StoredMailbox } from './email-accounts.queries.js';
import { accountsDisabled } from './metrics.js';
import type { MailboxCredentials, MailProvider } from './providers/provider.js';
import { PROVIDERS, serverOf } from './providers/providers.js';

/** An account for sending: the sender, and the credentials. */
export class Mailbox {
  readonly id: number;
  readonly is_active: boolean;
  /** A digest of what it logs in with to send. */
  readonly login: string;
  readonly from_email: string;
  readonly from_name: string;
  /** That of its mail server. */
  readonly provider: MailProvider;
  /** What the log calls its mail server. */
  readonly server: string;
  /** Whether it is connected by OAuth. */
  readonly isConnected: boolean;
  /** Whether the service reads the mails to it. */
  readonly reads_mailbox: boolean;
  /** Whether its sent mail certainly has every message that its server has accepted. Of others this is not known before. */
  readonly storesSentMail: boolean;
  /** Whether at most one of its messages is sent at a time, with a gap between them. */
  readonly is_one_by_one: boolean;
  private readonly cipher: MailboxCipher;

  constructor(account: StoredMailbox, cipher: MailboxCipher) {
    this.id = account.id;
    this.is_active = account.is_active;
    this.login = account.login_digest;
    this.from_email = account.from_email;
    this.from_name = account.from_name;
    this.provider = serverOf(account);
    this.server = `mail server ${account.smtp_host ?? this.provider.name}`;
    this.isConnected = PROVIDERS[account.type].oauth !== null;
    this.reads_mailbox = isRead(account);
    this.storesSentMail = PROVIDERS[account.type].stores_sent_mail;
    this.is_one_by_one = account.min_seconds_between > 0;
    this.cipher = cipher;
  }

  /** Decrypted on access. @throws CredentialsUnusable, which is a LoginRefused */
  get credentials(): MailboxCredentials {
    return this.cipher.credentials();
  }

  /** How an `smtp` account is read; undefined if it is not, and for accounts that are connected by OAuth. */
  get imap(): ImapSettings | undefined {
    return this.cipher.imap();
  }
}

/** Decrypts the credentials of one account. @throws CredentialsUnusable */
interface MailboxCipher {
  credentials(): MailboxCredentials;
  imap(): ImapSettings | undefined;
}

/** An account to make inactive. */
interface Disabling {
  readonly id: number;
  readonly reason: DisabledReason;
  readonly message: string;
  /** What it must still log in with. */
  readonly login?: string;
}

/** The accounts, for code that sends from them. */
@Injectable()
export class Mailboxes {
  constructor(
    private readonly cipher: Credentials,
    private readonly events: DomainEvents,
    private readonly log: Log,
  ) {}

  /** Returns an account with its credentials, or undefined if it does not exist. */
  async find(scope: WorkspaceScope, id: number): Promise<Mailbox | undefined> {
    const account = await findStored(scope, id);
    if (!account) return undefined;
    return new Mailbox(account, {
      credentials: () => this.cipher.decrypt(scope, account),
      imap: () => this.cipher.decryptImap(scope, account),
    });
  }

  /**
   * Makes an account inactive. Nothing is sent from it until a user makes it active again, or connects it again. Does
   * nothing if it is inactive already.
   * @param message what has happened, for the log
   */
  async deactivate(scope: WorkspaceScope, id: number, reason: DisabledReason, message: string): Promise<void> {
    await this.disable(scope, { id, reason, message });
  }

  /**
   * Makes an account inactive whose provider has refused its login, like {@link deactivate}, unless the login was changed
   * since `mailbox` was found.
   * @returns whether it was active, with that login
   */
  deactivateLogin(scope: WorkspaceScope, { id, login }: Mailbox, message: string): Promise<boolean> {
    return this.disable(scope, { id, login, reason: 'login_refused', message });
  }

  private disable(scope: WorkspaceScope, { id, login, reason, message }: Disabling): Promise<boolean> {
    return scope.transaction(async (tx) => {
      if (!(await deactivate(tx, id, reason, login))) return false;
      await this.events.publish(tx, 'email_account.updated', { email_account_id: id });
      await this.events.publish(tx, 'email_account.disabled', { email_account_id: id });
      tx.afterCommit(() => {
        accountsDisabled.inc();
        this.log.warn('an email account was made inactive', { email_account_id: id, reason, message });
      });
      return true;
    });
  }
}
