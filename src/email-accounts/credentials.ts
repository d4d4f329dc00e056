import { Injectable } from '@nestjs/common';
import { Keyring, DecryptionFailed, type EncryptedColumn as DeclaredColumn } from '../platform/crypto/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { CredentialsUnusable } from './email-account.errors.js';
import type { EmailAccount } from './email-account.entity.js';
import type { SmtpSettings } from './smtp/index.js';

/** The decrypted credentials of an account. For transports only: never stored, shown or logged. */
export type MailboxCredentials =
  { readonly type: 'smtp'; readonly smtp: SmtpSettings } | { readonly type: 'sendgrid'; readonly api_key: string };

/** Secrets as a client sends them; `undefined` if it sends none. */
export interface Secrets {
  readonly smtp_password?: string | undefined;
  readonly sendgrid_api_key?: string | undefined;
}

/** Encrypts the secrets of accounts for storage, and decrypts them for use. */
@Injectable()
export class Credentials {
  constructor(private readonly keyring: Keyring) {}

  /** Returns the encrypted columns of the secrets that were sent. */
  encrypt(scope: WorkspaceScope, secrets: Secrets): Pick<Partial<EmailAccount>, EncryptedColumn> {
    const encrypted = (column: EncryptedColumn, secret: string | undefined) =>
      secret === undefined ? {} : { [column]: this.keyring.encrypt(secret, contextOf(scope, column)) };
    return {
      ...encrypted('smtp_password_encrypted', secrets.smtp_password),
      ...encrypted('sendgrid_api_key_encrypted', secrets.sendgrid_api_key),
    };
  }

  /** @throws CredentialsUnusable if there are no credentials, or they cannot be decrypted */
  decrypt(scope: WorkspaceScope, account: EncryptedAccount): MailboxCredentials {
    switch (account.type) {
      case 'smtp':
        return { type: 'smtp', smtp: this.smtp(scope, account) };
      case 'sendgrid':
        return {
          type: 'sendgrid',
          api_key: this.decryptColumn(scope, 'sendgrid_api_key_encrypted', account.sendgrid_api_key_encrypted),
        };
      case 'google':
      case 'microsoft':
        throw new CredentialsUnusable('The email account is not connected.');
      default:
        return account.type satisfies never;
    }
  }

  private smtp(scope: WorkspaceScope, account: EncryptedAccount): SmtpSettings {
    const { smtp_host: host, smtp_port: port, smtp_username: username, smtp_encryption: encryption } = account;
    if (host === null || port === null || username === null || encryption === null) throw incomplete();
    const password = this.decryptColumn(scope, 'smtp_password_encrypted', account.smtp_password_encrypted);
    return { host, port, username, password, encryption };
  }

  private decryptColumn(scope: WorkspaceScope, column: EncryptedColumn, encrypted: string | null): string {
    if (encrypted === null) throw incomplete();
    try {
      return this.keyring.decrypt(encrypted, contextOf(scope, column));
    } catch (cause) {
      if (!(cause instanceof DecryptionFailed)) throw cause;
      throw new CredentialsUnusable('The stored credentials cannot be decrypted: enter them again.', {
        cause,
      });
    }
  }
}

const incomplete = () => new CredentialsUnusable('The email account has no credentials.');

/** These names are authenticated with every stored secret, so they must not change, even if a column is renamed. */
const CONTEXT_NAMES: Readonly<Record<EncryptedColumn, string>> = {
  smtp_password_encrypted: 'smtp_password_sealed',
  sendgrid_api_key_encrypted: 'sendgrid_api_key_sealed',
};

/** A secret can only be decrypted in its workspace and from its column. */
const contextOf = (
  { workspace_id: workspaceId }: Readonly<Record<'workspace_id', unknown>>,
  column: EncryptedColumn,
): string => `email_account:${CONTEXT_NAMES[column]}:${String(workspaceId)}`;

type EncryptedColumn = 'smtp_password_encrypted' | 'sendgrid_api_key_encrypted';

/** An account with its encrypted columns, which are not selected by default. */
export type EncryptedAccount = Pick<
  EmailAccount,
  'type' | 'smtp_host' | 'smtp_port' | 'smtp_username' | 'smtp_encryption' | EncryptedColumn
>;

const declare = (column: EncryptedColumn, meaning: string): DeclaredColumn => ({
  table: 'email_accounts',
  column,
  primary_key: ['workspace_id', 'id'],
  meaning,
  contextOf: ({ workspace_id }) => contextOf({ workspace_id }, column),
});

/** The encrypted columns of accounts. */
export const ENCRYPTED_CREDENTIALS: readonly DeclaredColumn[] = [
  declare('smtp_password_encrypted', 'SMTP passwords of email accounts'),
  declare('sendgrid_api_key_encrypted', 'SendGrid API keys of email accounts'),
];
