import { Injectable } from '@nestjs/common';
import { Keyring, SealBroken } from '../platform/crypto/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { CredentialsUnusable } from './email-account.errors.js';
import type { EmailAccount } from './email-account.entity.js';
import type { SmtpSettings } from './smtp/index.js';

/** What it takes to use an account, in the clear. For transports only; never stored, shown or logged. */
export type MailboxCredentials =
  { readonly type: 'smtp'; readonly smtp: SmtpSettings } | { readonly type: 'sendgrid'; readonly api_key: string };

/** Secrets as a client sends them. */
export interface Secrets {
  readonly smtp_password?: string | undefined;
  readonly sendgrid_api_key?: string | undefined;
}

/** Seals the secrets of accounts before they are stored, and opens them for use. */
@Injectable()
export class Credentials {
  constructor(private readonly keyring: Keyring) {}

  /** The columns that hold the secrets; `undefined` where none was sent. */
  seal(scope: WorkspaceScope, secrets: Secrets): Pick<Partial<EmailAccount>, SealedColumn> {
    const sealed = (column: SealedColumn, secret: string | undefined) =>
      secret === undefined ? {} : { [column]: this.keyring.seal(secret, contextOf(scope, column)) };
    return {
      ...sealed('smtp_password_sealed', secrets.smtp_password),
      ...sealed('sendgrid_api_key_sealed', secrets.sendgrid_api_key),
    };
  }

  /** @throws CredentialsUnusable when there are none, or none that can be opened */
  open(scope: WorkspaceScope, account: SealedAccount): MailboxCredentials {
    switch (account.type) {
      case 'smtp':
        return { type: 'smtp', smtp: this.smtp(scope, account) };
      case 'sendgrid':
        return {
          type: 'sendgrid',
          api_key: this.unseal(scope, 'sendgrid_api_key_sealed', account.sendgrid_api_key_sealed),
        };
      case 'google':
      case 'microsoft':
        throw new CredentialsUnusable('The email account is not connected.');
      default:
        return account.type satisfies never;
    }
  }

  private smtp(scope: WorkspaceScope, account: SealedAccount): SmtpSettings {
    const { smtp_host: host, smtp_port: port, smtp_username: username, smtp_encryption: encryption } = account;
    if (host === null || port === null || username === null || encryption === null) throw incomplete();
    const password = this.unseal(scope, 'smtp_password_sealed', account.smtp_password_sealed);
    return { host, port, username, password, encryption };
  }

  private unseal(scope: WorkspaceScope, column: SealedColumn, sealed: string | null): string {
    if (sealed === null) throw incomplete();
    try {
      return this.keyring.open(sealed, contextOf(scope, column));
    } catch (cause) {
      if (!(cause instanceof SealBroken)) throw cause;
      throw new CredentialsUnusable('The stored credentials can no longer be opened: enter them again.', { cause });
    }
  }
}

const incomplete = () => new CredentialsUnusable('The email account has no credentials.');

/** A secret opens only in its workspace and as what it is. */
const contextOf = (scope: WorkspaceScope, column: SealedColumn): string =>
  `email_account:${column}:${scope.workspace_id}`;

type SealedColumn = 'smtp_password_sealed' | 'sendgrid_api_key_sealed';

/** An account with its sealed columns, which have to be asked for by name. */
export type SealedAccount = Pick<
  EmailAccount,
  'type' | 'smtp_host' | 'smtp_port' | 'smtp_username' | 'smtp_encryption' | SealedColumn
>;
