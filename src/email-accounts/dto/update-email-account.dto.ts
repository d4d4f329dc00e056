import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { NullResetsTo, IsEmailAddress, OptionalField, NameField } from '../../platform/http/fields/index.js';
import { ChangedByOperation, CheckedBy } from '../../platform/http/validation/index.js';
import { accountChangeErrors } from '../account-errors.js';
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
import { EMAIL_ACCOUNT_TYPES, type EmailAccountType } from '../providers/provider-names.js';
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
  OfStoredProvider,
} from './account-fields.js';

@CheckedBy(accountChangeErrors)
@ChangedByOperation(ACCOUNT_OPERATIONS)
export class UpdateEmailAccountDto {
  @OptionalField() @NameField(255) name?: string;
  /** Accepted if it is the type of the account, which never changes. */
  @OptionalField() @IsIn(EMAIL_ACCOUNT_TYPES) type?: EmailAccountType;
  @OptionalField() @IsEmailAddress() from_email?: string;
  @OptionalField() @NameField(255) from_name?: string;
  @OptionalField() @NullResetsTo(DEFAULT_DAILY_LIMIT) @Max(MAX_DAILY_LIMIT) @Min(1) @IsInt() daily_limit?: number;
  /**
   * At least so many seconds lie between two messages, and up to half as much more at random, across all campaigns and
   * workers. 0: none.
   */
  @OptionalField() @NullResetsTo(0) @Max(MAX_SECONDS_BETWEEN) @Min(0) @IsInt() min_seconds_between?: number;
  /**
   * Warms the account up: it sends at most so many messages on the first day, and `ramp_per_day` more on each day that
   * follows, until `daily_limit` is reached. Days on which nothing was due do not count. A new value begins anew, null ends
   * the ramp.
   */
  @IsRampStart() ramp_start?: number | null;
  /** By how many messages the limit grows per day. */
  @OptionalField() @NullResetsTo(DEFAULT_RAMP_PER_DAY) @Max(MAX_RAMP_PER_DAY) @Min(1) @IsInt() ramp_per_day?: number;
  @OptionalField() @NullResetsTo(true) @IsBoolean() is_active?: boolean;

  /** The mail server's host name or IP address. A new one requires `smtp_password` again. */
  @OfStoredProvider() @OptionalField() @IsSmtpHost() smtp_host?: string;
  /** The port. A new one requires `smtp_password` again. */
  @OfStoredProvider() @OptionalField() @IsSmtpPort() smtp_port?: number;
  /** The user name at the mail server. A new one requires `smtp_password` again. */
  @OfStoredProvider() @OptionalField() @IsSmtpUsername() smtp_username?: string;
  /** A new password. Without it the stored one stays. */
  @OfStoredProvider() @OptionalField() @IsSmtpPassword() smtp_password?: string;
  /** How the connection is encrypted. A change requires `smtp_password` again. */
  @OfStoredProvider() @OptionalField() @NullResetsTo('tls') @IsSmtpEncryption() smtp_encryption?: SmtpEncryption;

  /**
   * The IMAP server's host name or IP address. A new one requires `imap_password` or, if the password is the same,
   * `smtp_password` again. null ends the reading, and clears `imap_username` and `imap_password`.
   */
  @OfStoredProvider() @IsImapHost() imap_host?: string | null;
  /** The port. A new one requires the password again. */
  @OfStoredProvider() @OptionalField() @NullResetsTo(DEFAULT_IMAP_PORT) @IsImapPort() imap_port?: number;
  /** The user name at the IMAP server; null for that of SMTP. A new one requires the password again. */
  @OfStoredProvider() @IsImapUsername() imap_username?: string | null;
  /** A new password. Without it the stored one stays; null, with `smtp_password`, for that of SMTP. */
  @OfStoredProvider() @IsImapPassword() imap_password?: string | null;
  /** How the connection to the IMAP server is encrypted. A change requires the password again. */
  @OfStoredProvider()
  @OptionalField()
  @NullResetsTo(DEFAULT_IMAP_ENCRYPTION)
  @IsImapEncryption()
  imap_encryption?: ImapEncryption;

  /** A new API key. Without it the stored one stays. */
  @OfStoredProvider() @OptionalField() @IsApiKey() sendgrid_api_key?: string;
  /** The "Verification Key" of SendGrid's signed event webhook (base64). */
  @OfStoredProvider() @IsWebhookKey() sendgrid_webhook_key?: string | null;

  /**
   * The domain for which messages are signed (DKIM): that of `from_email`, or one above it. null ends the signing, and
   * clears `dkim_selector` and `dkim_private_key`.
   */
  @IsDkimDomain() dkim_domain?: string | null;
  /** The selector of the key. null ends the signing, as `dkim_domain: null` does. */
  @IsDkimSelector() dkim_selector?: string | null;
  /** A new private key. Without it the stored one stays; null ends the signing, as `dkim_domain: null` does. */
  @IsDkimPrivateKey() dkim_private_key?: string | null;
}
