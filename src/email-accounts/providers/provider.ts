import type { SendResult, SmtpSession, SmtpSettings } from '@outreach/mail-sessions';
import type { DkimCredentials } from '@outreach/mail-writing';
import type { ComposedMail } from '../composed-mail.js';
import type { InputClass } from '@outreach/http-api/fields';
import type { ProviderEvents, ReceivedForm } from './provider-events.js';
import type { LimitRule } from './provider-limits.js';
import type { EmailAccountType } from './provider-names.js';

/** Adds inputs to a class: `class … extends base`, with decorators of class-validator. */
export type AccountInputs = (base: InputClass) => InputClass;

/** The length of secrets, in characters. */
export const MAX_SECRET_LENGTH = 1000;

/** How the mailboxes of a provider are connected by OAuth. */
export interface OauthParts {
  /** What is asked for: the identity, access to the mailbox by SMTP and IMAP, and that without the owner. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The claims of an ID token that may hold the address of the mailbox, the first of them first. */
  readonly address_claims: readonly string[];
  /** The issuer that discovery names in place of the configured one, whose endpoints are read all the same. */
  readonly discovered_issuer?: string;
}

export interface MailHost {
  readonly host: string;
  readonly port: number;
}

export interface MailHosts {
  readonly smtp: MailHost;
  readonly imap: MailHost;
}

/** The decrypted credentials of an account. For transports only: never stored, shown or logged. */
export interface MailboxCredentials {
  readonly type: EmailAccountType;
  /** What messages are signed with; absent if the service does not sign them. */
  readonly dkim?: DkimCredentials;
}

/** The credentials of an account that sends by SMTP with a password. */
export interface PasswordMailbox extends MailboxCredentials {
  readonly smtp: SmtpSettings;
}

/** A mailbox that is connected by OAuth. `AccessTokens` has the access token for `XOAUTH2`. */
export interface OauthMailbox extends MailboxCredentials {
  /** The mail server of the operator's configuration, which may have any address. */
  readonly smtp: MailHost & Pick<SmtpSettings, 'encryption'>;
  /** Always with TLS from the beginning. */
  readonly imap: MailHost;
  /** The address of the mailbox. */
  readonly username: string;
  /** Whose access token it is. */
  readonly account_id: number;
}

export const isConnected = (credentials: MailboxCredentials): credentials is OauthMailbox =>
  'account_id' in credentials;

/** The credentials of accounts that send by SMTP. */
export type SmtpMailbox = PasswordMailbox | OauthMailbox;

/** What a provider reads of a stored account, besides its own columns. */
export interface StoredAccount {
  readonly id: number;
  /** The address of the mailbox if it is connected by OAuth. */
  readonly oauth_address: string | null;
}

/** Opens what is stored encrypted. */
export interface Vault<Config> {
  /** @throws CredentialsUnusable if there is nothing, or it cannot be decrypted */
  decrypt(column: string, encrypted: string | null): string;
  readonly config: Config;
}

/** How the connections of one account are opened. */
export interface MailConnections<Config> {
  /** @throws LoginRefused, ProviderUnavailable, ConsentRevoked */
  smtp(credentials: SmtpMailbox): Promise<SmtpSession>;
  readonly config: Config;
}

/** One message on its way to a provider. */
export interface Sending {
  readonly mail: ComposedMail;
  /** Returns the complete message, which is signed if the service signs it. */
  readonly encode: () => Promise<Buffer>;
  /** Called right before the content is sent and before its end; if it returns false, the result is `aborted`. */
  readonly mayContinue: () => Promise<boolean>;
  /** Waited for before each further part of a large message. */
  readonly nextPart: () => Promise<unknown>;
  /** The provider may have accepted the message before: makes sure of the result, if that costs only time. */
  readonly isRepeated: boolean;
}

/** A connection to a provider with the credentials of one account. It sends one message at a time. */
export interface ProviderSession {
  readonly isOpen: boolean;
  /** Whether an uncertain result closes it, so that the next message needs a new connection. */
  readonly hasSession: boolean;
  send(sending: Sending): Promise<SendResult>;
  close(): void;
}

/** A secret of an account: an input, and the encrypted column `<input>_encrypted`. */
export interface AccountSecret {
  readonly input: string;
  /** It is authenticated with every stored secret, so it must not change, even if the column is renamed. */
  readonly context: string;
  readonly meaning: string;
}

declare module '../../platform/extensions/index.js' {
  interface ExtensionParts {
    /** Providers of email accounts, by the type of their accounts: the name of the extension, or one that begins with it. */
    readonly mailProviders?: Readonly<Record<string, MailProvider>>;
  }
}

/** Everything that the service knows of one provider of email accounts. Its folder has it, and `providers.ts` lists it. */
export interface MailProvider<
  Credentials extends MailboxCredentials = MailboxCredentials,
  Stored extends StoredAccount = StoredAccount,
  Config = unknown,
> {
  /** What messages for people call it. */
  readonly name: string;
  /** The names of its SMTP servers, which accounts of the type `smtp` may use, too. */
  readonly servers?: RegExp;
  /** Its own domains, whose records in DNS are its own affair. */
  readonly domains: readonly string[];
  /** The domains of its SPF records, of which the record of a sender's domain should include one. */
  readonly spf_includes: readonly string[];
  /** Under which of these its DKIM keys are. */
  readonly dkim_selectors: readonly string[];
  /** Whether it signs every message itself, so that accounts have no key of their own. */
  readonly signs: boolean;
  /** What it replies when an account has reached a limit of its own. */
  readonly limits: readonly LimitRule[];
  /** How many connections to its server a run opens for an account at most. */
  readonly max_connections: number;
  /** Whether its sent mail certainly has every message that its server has accepted. */
  readonly stores_sent_mail: boolean;
  /** null if it reports what has become of a message by mail. */
  readonly events: ProviderEvents | null;
  /** null if it does not post what it receives in forms of its own. */
  readonly received_form: ReceivedForm | null;
  /** null if its accounts have a secret instead. */
  readonly oauth: OauthParts | null;
  /**
   * The inputs of its accounts, which are ignored for others. In an update each is optional. Secrets are stored encrypted, the
   * others in columns of their names. null if its accounts are connected by OAuth.
   */
  readonly inputs: AccountInputs | null;
  /** The inputs that decide where it logs in to send, and as whom. */
  readonly login: readonly string[];
  readonly secrets: readonly AccountSecret[];
  /** Returns the credentials of an account. @throws CredentialsUnusable if something is missing */
  credentials(account: Stored, vault: Vault<Config>): Omit<Credentials, 'type' | 'dkim'>;
  /** Opens a connection. @throws LoginRefused, ProviderUnavailable, ConsentRevoked */
  open(credentials: Credentials, connections: MailConnections<Config>): Promise<ProviderSession>;
  /** Logs in, and sends nothing. @returns what has worked, for the owner of the account; throws what `open` throws */
  logIn(credentials: Credentials, connections: MailConnections<Config>): Promise<string>;
}
