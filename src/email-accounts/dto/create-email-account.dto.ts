import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { NullResetsTo, IsEmailAddress, NameField } from '../../platform/http/fields/index.js';
import { ChangedByOperation, CheckedBy } from '../../platform/http/validation/index.js';
import { newAccountErrors } from '../account-errors.js';
import {
  DEFAULT_DAILY_LIMIT,
  DEFAULT_IMAP_ENCRYPTION,
  DEFAULT_IMAP_PORT,
  DEFAULT_RAMP_PER_DAY,
  MAX_DAILY_LIMIT,
  MAX_RAMP_PER_DAY,
  MAX_SECONDS_BETWEEN,
} from '../email-account.entity.js';
import type { ImapEncryption } from '../imap/index.js';
import type { SmtpEncryption } from '../smtp/index.js';
import { ACCOUNT_OPERATIONS } from './account-operations.js';
import {
  IsApiKey,
  IsDkimDomain,
  IsDkimPrivateKey,
  IsDkimSelector,
  IsImapEncryption,
  IsImapHost,
  IsImapPassword,
  IsImapPort,
  IsImapUsername,
  IsRampStart,
  IsSmtpEncryption,
  IsSmtpHost,
  IsSmtpPassword,
  IsSmtpPort,
  IsSmtpUsername,
  IsWebhookKey,
  OfProvider,
} from './account-fields.js';

/** The other types are connected by OAuth (API v1, "Email account"). */
const CREATABLE_TYPES = ['smtp', 'sendgrid'] as const;

@CheckedBy(newAccountErrors)
@ChangedByOperation(ACCOUNT_OPERATIONS)
export class CreateEmailAccountDto {
  @NameField(255) name!: string;
  /** `smtp` or `sendgrid`. Accounts of Google and Microsoft are connected by `POST /email-accounts/oauth/{provider}`. */
  @IsIn(CREATABLE_TYPES) type!: (typeof CREATABLE_TYPES)[number];
  @IsEmailAddress() from_email!: string;
  @NameField(255) from_name!: string;
  /** How many messages it sends in a day (UTC) at most. */
  @NullResetsTo(DEFAULT_DAILY_LIMIT) @Max(MAX_DAILY_LIMIT) @Min(1) @IsInt() daily_limit: number = DEFAULT_DAILY_LIMIT;
  /**
   * At least so many seconds lie between two messages, and up to half as much more at random, across all campaigns and
   * workers. 0: none.
   */
  @NullResetsTo(0) @Max(MAX_SECONDS_BETWEEN) @Min(0) @IsInt() min_seconds_between: number = 0;
  /**
   * Warms the account up: it sends at most so many messages on the first day, and `ramp_per_day` more on each day that
   * follows, until `daily_limit` is reached. Days on which nothing was due do not count. A new value begins anew, null ends
   * the ramp.
   */
  @IsRampStart() ramp_start?: number | null;
  /** By how many messages the limit grows per day. */
  @NullResetsTo(DEFAULT_RAMP_PER_DAY) @Max(MAX_RAMP_PER_DAY) @Min(1) @IsInt() ramp_per_day: number =
    DEFAULT_RAMP_PER_DAY;
  /** Whether it sends. */
  @NullResetsTo(true) @IsBoolean() is_active: boolean = true;

  /**
   * The mail server's host name or IP address, at most 255 characters. Private addresses are refused unless the
   * operator allows them.
   */
  @OfProvider() @IsSmtpHost() smtp_host?: string;
  /** The port: 587 and 2525 usually with `tls`, 465 with `ssl`. */
  @OfProvider() @IsSmtpPort() smtp_port?: number;
  /** The user name at the mail server, at most 255 characters. It is never shown. */
  @OfProvider() @IsSmtpUsername() smtp_username?: string;
  /** The password, at most 1,000 characters. It is stored encrypted and never shown. */
  @OfProvider() @IsSmtpPassword() smtp_password?: string;
  /** How the connection is encrypted. */
  @OfProvider() @NullResetsTo('tls') @IsSmtpEncryption() smtp_encryption: SmtpEncryption = 'tls';

  /**
   * The host name or IP address of the IMAP server, at most 255 characters, if replies and reports are to be read from
   * the mailbox. Private addresses are refused unless the operator allows them.
   */
  @OfProvider() @IsImapHost() imap_host?: string | null;
  /** The port: 993 usually with `ssl`, 143 with `tls`. */
  @OfProvider() @NullResetsTo(DEFAULT_IMAP_PORT) @IsImapPort() imap_port: number = DEFAULT_IMAP_PORT;
  /** The user name at the IMAP server, at most 255 characters; that of SMTP by default. It is never shown. */
  @OfProvider() @IsImapUsername() imap_username?: string | null;
  /** The password, at most 1,000 characters; that of SMTP by default. It is stored encrypted and never shown. */
  @OfProvider() @IsImapPassword() imap_password?: string | null;
  /** How the connection to the IMAP server is encrypted. */
  @OfProvider()
  @NullResetsTo(DEFAULT_IMAP_ENCRYPTION)
  @IsImapEncryption()
  imap_encryption: ImapEncryption = DEFAULT_IMAP_ENCRYPTION;

  /**
   * An API key of SendGrid with the permission "Mail Send", at most 1,000 characters. It is stored encrypted and never
   * shown.
   */
  @OfProvider() @IsApiKey() sendgrid_api_key?: string;
  /**
   * The "Verification Key" of SendGrid's signed event webhook (base64). It is required to receive deliveries, bounces,
   * opens and clicks from SendGrid. If a workspace has more than ten keys, events about its messages are verified with those of
   * the accounts that have sent them, other requests with those of its ten newest accounts.
   */
  @OfProvider() @IsWebhookKey() sendgrid_webhook_key?: string | null;

  /**
   * The domain for which messages are signed (DKIM): that of `from_email`, or one above it. It needs `dkim_selector` and
   * `dkim_private_key`. Not for SendGrid, which signs itself.
   */
  @IsDkimDomain() dkim_domain?: string | null;
  /**
   * The selector of the key, at most 100 characters: publish the public key as a TXT record at
   * `{dkim_selector}._domainkey.{dkim_domain}`.
   */
  @IsDkimSelector() dkim_selector?: string | null;
  /**
   * The private key: RSA with 1,024 to 4,096 bits, or Ed25519, as PEM in PKCS#8 or PKCS#1 without a passphrase. It is
   * stored encrypted and never shown.
   */
  @IsDkimPrivateKey() dkim_private_key?: string | null;
}
