import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../platform/events/index.js';
import { Log } from '../platform/logging/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { Credentials, type MailboxCredentials } from './credentials.js';
import { deactivate, findStored, type StoredMailbox } from './email-accounts.queries.js';
import { accountsDisabled } from './metrics.js';

/** An account for sending: the sender, and the credentials. */
export class Mailbox {
  readonly id: number;
  readonly is_active: boolean;
  readonly from_email: string;
  readonly from_name: string;
  private readonly decrypt: () => MailboxCredentials;

  constructor(account: StoredMailbox, decrypt: () => MailboxCredentials) {
    this.id = account.id;
    this.is_active = account.is_active;
    this.from_email = account.from_email;
    this.from_name = account.from_name;
    this.decrypt = decrypt;
  }

  /** Decrypted on access. @throws CredentialsUnusable, which is a LoginRefused */
  get credentials(): MailboxCredentials {
    return this.decrypt();
  }
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
    return account && new Mailbox(account, () => this.cipher.decrypt(scope, account));
  }

  /**
   * Makes an account inactive because its login is refused. Nothing is sent from it until a user makes it active again.
   * Does nothing if it is inactive already.
   */
  deactivate(scope: WorkspaceScope, id: number, reason: string): Promise<void> {
    return scope.transaction(async (tx) => {
      if (!(await deactivate(tx, id))) return;
      await this.events.publish(tx, 'email_account.updated', { email_account_id: id });
      tx.afterCommit(() => {
        accountsDisabled.inc();
        this.log.warn('an email account was made inactive', { email_account_id: id, reason });
      });
    });
  }
}
