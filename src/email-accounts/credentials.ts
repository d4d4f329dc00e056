import { Inject, Injectable } from '@nestjs/common';
import type { ImapSettings } from '@outreach/mail-sessions';
import { DKIM_KEY_RULE, type DkimCredentials, isDkimKey } from '@outreach/mail-writing';
import { hideInLogs } from '@outreach/logging';
import { DecryptionFailed } from '@outreach/keyring';
import { CONFIG } from '../platform/config/index.js';
import { Keyring, type EncryptedColumn as DeclaredColumn } from '../platform/crypto/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { CredentialsUnusable } from './email-account.errors.js';
import type { EmailAccount } from './email-account.entity.js';
import type { AccountSecret, MailboxCredentials } from './providers/provider.js';
import { columnOf, PROVIDERS } from './providers/providers.js';

const DKIM_KEY = {
  input: 'dkim_private_key',
  context: 'dkim_private_key',
  meaning: 'DKIM keys of email accounts',
} as const satisfies AccountSecret;

/** The secrets of accounts: those of the providers, and the one that messages are signed with. */
const allSecrets = (): readonly AccountSecret[] => [
  ...Object.values(PROVIDERS).flatMap(({ secrets }) => secrets),
  DKIM_KEY,
];

hideInLogs(allSecrets().map(({ input }) => input));

type EncryptedSecrets = Readonly<Record<`${string}_encrypted`, string | null | undefined>>;

/** Secrets as a client sends them; `undefined` if it sends none, null clears one. */
export type Secrets = Readonly<Record<string, string | null | undefined>>;

/** Encrypts the secrets of accounts for storage, and decrypts them for use. */
@Injectable()
export class Credentials {
  constructor(
    private readonly keyring: Keyring,
    @Inject(CONFIG) private readonly config: object,
  ) {}

  encrypt(scope: WorkspaceScope, secrets: Secrets): EncryptedSecrets {
    const sent = allSecrets().flatMap(({ input }) => {
      const [secret, column] = [secrets[input], columnOf(input)];
      return secret === undefined ? [] : [[column, secret && this.keyring.encrypt(secret, contextOf(scope, column))]];
    });
    return Object.fromEntries(sent) as EncryptedSecrets;
  }

  /** @throws CredentialsUnusable if there are no credentials, or they cannot be decrypted */
  decrypt(scope: WorkspaceScope, account: EncryptedAccount): MailboxCredentials {
    const decrypt = (column: string, encrypted: string | null) => this.decryptColumn(scope, column, encrypted);
    const provider = PROVIDERS[account.type];
    const credentials = provider.credentials(account, { decrypt, config: this.config });
    return { type: account.type, ...credentials, ...(provider.signs ? {} : this.signing(scope, account)) };
  }

  /**
   * Returns how to read the mailbox of an account with a password, or undefined if it is not read.
   * @throws CredentialsUnusable
   */
  decryptImap(scope: WorkspaceScope, account: EncryptedAccount): ImapSettings | undefined {
    const { imap_host: host, imap_port: port, imap_encryption: encryption } = account;
    if (host === null) return undefined;
    const username = account.imap_username ?? account.smtp_username;
    if (port === null || encryption === null || username === null) throw incomplete();
    const password =
      account.imap_password_encrypted === null
        ? this.decryptColumn(scope, 'smtp_password_encrypted', account.smtp_password_encrypted)
        : this.decryptColumn(scope, 'imap_password_encrypted', account.imap_password_encrypted);
    return { host, port, encryption, username, login: { type: 'password', password } };
  }

  /** Returns what messages are signed with; undefined if the service does not sign them. @throws CredentialsUnusable */
  decryptDkim(scope: WorkspaceScope, account: EncryptedAccount): DkimCredentials | undefined {
    return this.signing(scope, account).dkim;
  }

  private signing(scope: WorkspaceScope, account: EncryptedAccount): Pick<MailboxCredentials, 'dkim'> {
    const { dkim_domain: domain, dkim_selector: selector, dkim_private_key_encrypted: encrypted } = account;
    if (domain === null || selector === null || encrypted === null) return {};
    const private_key = this.decryptColumn(scope, 'dkim_private_key_encrypted', encrypted);
    // Earlier versions stored keys with numbers of any length. Each signature with one would take seconds.
    if (!isDkimKey(private_key)) throw new CredentialsUnusable(`dkim_private_key ${DKIM_KEY_RULE}: enter it again.`);
    return { dkim: { domain, selector, private_key } };
  }

  private decryptColumn(scope: WorkspaceScope, column: string, encrypted: string | null): string {
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

/** A secret can only be decrypted in its workspace and from its column. */
const contextOf = ({ workspace_id: workspaceId }: Readonly<Record<'workspace_id', unknown>>, column: string): string =>
  `email_account:${contextNameOf(column)}:${String(workspaceId)}`;

const contextNameOf = (column: string): string =>
  allSecrets().find(({ input }) => columnOf(input) === column)?.context ?? column;

/** An account with its encrypted columns, which are not selected by default. */
export type EncryptedAccount = Pick<
  EmailAccount,
  'id' | 'type' | Extract<keyof EmailAccount, `${'smtp' | 'imap' | 'dkim'}_${string}`>
> & {
  /** The address of the mailbox if it is connected by OAuth. */
  readonly oauth_address: string | null;
};

/** The encrypted columns of accounts. */
export const ENCRYPTED_CREDENTIALS: readonly DeclaredColumn[] = allSecrets().map(({ input, meaning }) => ({
  table: 'email_accounts',
  column: columnOf(input),
  primary_key: ['workspace_id', 'id'],
  meaning,
  contextOf: ({ workspace_id }) => contextOf({ workspace_id }, columnOf(input)),
}));
