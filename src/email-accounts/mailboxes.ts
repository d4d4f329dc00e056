import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../platform/events/index.js';
import { Log } from '../platform/logging/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { Credentials, type MailboxCredentials } from './credentials.js';
import { deactivate, findStored, type StoredMailbox } from './email-accounts.queries.js';

/** An account as its user sees it: whose mail it sends, and how. */
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

  /** Opened when they are asked for. @throws CredentialsUnusable, which is a LoginRefused */
  get credentials(): MailboxCredentials {
    return this.decrypt();
  }
}

/** The accounts for those who send through them. */
@Injectable()
export class Mailboxes {
  constructor(
    private readonly cipher: Credentials,
    private readonly events: DomainEvents,
    private readonly log: Log,
  ) {}

  /** One account with its credentials; undefined where it is gone. */
  async find(scope: WorkspaceScope, id: number): Promise<Mailbox | undefined> {
    const account = await findStored(scope, id);
    return account && new Mailbox(account, () => this.cipher.decrypt(scope, account));
  }

  /**
   * Stops sending from an account whose login is refused, until somebody has seen to it. Nothing happens to one that
   * is inactive already.
   */
  deactivate(scope: WorkspaceScope, id: number, reason: string): Promise<void> {
    return scope.transaction(async (tx) => {
      if (!(await deactivate(tx, id))) return;
      await this.events.publish(tx, 'email_account.updated', { email_account_id: id });
      tx.afterCommit(() => this.log.warn('an email account was made inactive', { email_account_id: id, reason }));
    });
  }
}
