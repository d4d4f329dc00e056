import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../platform/config/index.js';
import { Keyring, DecryptionFailed, type EncryptedColumn as DeclaredColumn } from '../platform/crypto/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { DKIM_KEY_RULE, type DkimCredentials, isDkimKey } from './dkim/index.js';
import { CredentialsUnusable } from './email-account.errors.js';
import type { EmailAccount } from './email-account.entity.js';
import type { OauthProvider } from './providers/provider-names.js';
import { oauthOf } from './providers/providers.js';
import type { MailHost, OauthConfig } from './oauth/oauth.settings.js';
import type { ImapSettings } from './imap/index.js';
import type { SmtpSettings } from './smtp/index.js';

type MailHostsConfig = Pick<OauthConfig, 'google_mail_hosts' | 'microsoft_mail_hosts'>;

/** The decrypted credentials of an account. For transports only: never stored, shown or logged. */
export type MailboxCredentials =
  | (Signing & { readonly type: 'smtp'; readonly smtp: SmtpSettings })
  | { readonly type: 'sendgrid'; readonly api_key: string }
  | OauthMailbox;

/** What messages are signed with; absent if the service does not sign them. */
interface Signing {
  readonly dkim?: DkimCredentials;
}

/** A mailbox that is connected by OAuth. `AccessTokens` has the access token for `XOAUTH2`. */
export interface OauthMailbox extends Signing {
  readonly type: OauthProvider;
  /** The mail server of the operator's configuration, which may have any address. */
  readonly smtp: MailHost & Pick<SmtpSettings, 'encryption'>;
  /** Always with TLS from the beginning. */
  readonly imap: MailHost;
  /** The address of the mailbox. */
  readonly username: string;
  /** Whose access token it is. */
  readonly account_id: number;
}

/** Secrets as a client sends them; `undefined` if it sends none. */
export interface Secrets {
  readonly smtp_password?: string | undefined;
  /** null clears it. */
  readonly imap_password?: string | null | undefined;
  readonly sendgrid_api_key?: string | undefined;
  /** PEM. null clears it. */
  readonly dkim_private_key?: string | null | undefined;
}

/** Encrypts the secrets of accounts for storage, and decrypts them for use. */
@Injectable()
export class Credentials {
  constructor(
    private readonly keyring: Keyring,
    @Inject(CONFIG) private readonly config: MailHostsConfig,
  ) {}

  /** Returns the encrypted columns of the secrets that were sent. */
  encrypt(scope: WorkspaceScope, secrets: Secrets): Pick<Partial<EmailAccount>, EncryptedColumn> {
    const encrypted = (column: EncryptedColumn, secret: string | null | undefined) =>
      secret === undefined ? {} : { [column]: secret && this.keyring.encrypt(secret, contextOf(scope, column)) };
    return {
      ...encrypted('smtp_password_encrypted', secrets.smtp_password),
      ...encrypted('imap_password_encrypted', secrets.imap_password),
      ...encrypted('sendgrid_api_key_encrypted', secrets.sendgrid_api_key),
      ...encrypted('dkim_private_key_encrypted', secrets.dkim_private_key),
    };
  }

  /** @throws CredentialsUnusable if there are no credentials, or they cannot be decrypted */
  decrypt(scope: WorkspaceScope, account: EncryptedAccount): MailboxCredentials {
    switch (account.type) {
      case 'smtp':
        return { type: 'smtp', smtp: this.smtp(scope, account), ...this.signing(scope, account) };
      case 'sendgrid':
        return {
          type: 'sendgrid',
          api_key: this.decryptColumn(scope, 'sendgrid_api_key_encrypted', account.sendgrid_api_key_encrypted),
        };
      case 'google':
      case 'microsoft':
        return { ...this.oauth(account.type, account), ...this.signing(scope, account) };
      default:
        return account.type satisfies never;
    }
  }

  private smtp(scope: WorkspaceScope, account: EncryptedAccount): SmtpSettings {
    const { smtp_host: host, smtp_port: port, smtp_username: username, smtp_encryption: encryption } = account;
    if (host === null || port === null || username === null || encryption === null) throw incomplete();
    const password = this.decryptColumn(scope, 'smtp_password_encrypted', account.smtp_password_encrypted);
    return { host, port, username, login: { type: 'password', password }, encryption };
  }

  /**
   * Returns how to read the mailbox of an `smtp` account with a password, or undefined if it is not read.
   * @throws CredentialsUnusable
   */
  decryptImap(scope: WorkspaceScope, account: EncryptedAccount): ImapSettings | undefined {
    const { imap_host: host, imap_port: port, imap_encryption: encryption } = account;
    if (account.type !== 'smtp' || host === null) return undefined;
    const username = account.imap_username ?? account.smtp_username;
    if (port === null || encryption === null || username === null) throw incomplete();
    const password =
      account.imap_password_encrypted === null
        ? this.decryptColumn(scope, 'smtp_password_encrypted', account.smtp_password_encrypted)
        : this.decryptColumn(scope, 'imap_password_encrypted', account.imap_password_encrypted);
    return { host, port, encryption, username, login: { type: 'password', password } };
  }

  private oauth(provider: OauthProvider, { id, oauth_address: username }: EncryptedAccount): OauthMailbox {
    if (username === null) throw new CredentialsUnusable('The email account is not connected.');
    const { smtp, imap } = this.config[`${provider}_mail_hosts`];
    const { smtp_encryption: encryption } = oauthOf(provider);
    return { type: provider, smtp: { ...smtp, encryption }, imap, username, account_id: id };
  }

  /** Returns what messages are signed with; undefined if the service does not sign them. @throws CredentialsUnusable */
  decryptDkim(scope: WorkspaceScope, account: EncryptedAccount): DkimCredentials | undefined {
    return this.signing(scope, account).dkim;
  }

  private signing(scope: WorkspaceScope, account: EncryptedAccount): Signing {
    const { dkim_domain: domain, dkim_selector: selector, dkim_private_key_encrypted: encrypted } = account;
    if (domain === null || selector === null || encrypted === null) return {};
    const private_key = this.decryptColumn(scope, 'dkim_private_key_encrypted', encrypted);
    // Earlier versions stored keys with numbers of any length. Each signature with one would take seconds.
    if (!isDkimKey(private_key)) throw new CredentialsUnusable(`dkim_private_key ${DKIM_KEY_RULE}: enter it again.`);
    return { dkim: { domain, selector, private_key } };
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
  imap_password_encrypted: 'imap_password',
  sendgrid_api_key_encrypted: 'sendgrid_api_key_sealed',
  dkim_private_key_encrypted: 'dkim_private_key',
};

/** A secret can only be decrypted in its workspace and from its column. */
const contextOf = (
  { workspace_id: workspaceId }: Readonly<Record<'workspace_id', unknown>>,
  column: EncryptedColumn,
): string => `email_account:${CONTEXT_NAMES[column]}:${String(workspaceId)}`;

type EncryptedColumn =
  'smtp_password_encrypted' | 'imap_password_encrypted' | 'sendgrid_api_key_encrypted' | 'dkim_private_key_encrypted';

/** An account with its encrypted columns, which are not selected by default. */
export type EncryptedAccount = Pick<
  EmailAccount,
  | 'id'
  | 'type'
  | 'smtp_host'
  | 'smtp_port'
  | 'smtp_username'
  | 'smtp_encryption'
  | 'imap_host'
  | 'imap_port'
  | 'imap_encryption'
  | 'imap_username'
  | 'dkim_domain'
  | 'dkim_selector'
  | EncryptedColumn
> & {
  /** The address of the mailbox if it is connected by OAuth. */
  readonly oauth_address: string | null;
};

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
  declare('imap_password_encrypted', 'IMAP passwords of email accounts'),
  declare('sendgrid_api_key_encrypted', 'SendGrid API keys of email accounts'),
  declare('dkim_private_key_encrypted', 'DKIM keys of email accounts'),
];
