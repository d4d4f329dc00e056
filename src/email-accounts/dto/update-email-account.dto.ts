import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { ClearedTo, IsEmailAddress, Optional, Text } from '../../platform/http/index.js';
import {
  DEFAULT_DAILY_LIMIT,
  EMAIL_ACCOUNT_TYPES,
  type EmailAccountType,
  MOST_PER_DAY,
  type SmtpEncryption,
} from '../email-account.entity.js';
import {
  IsApiKey,
  IsSmtpEncryption,
  IsSmtpHost,
  IsSmtpPassword,
  IsSmtpPort,
  IsSmtpUsername,
  IsWebhookKey,
} from './account-fields.js';

export class UpdateEmailAccountDto {
  @Optional() @Text(255) name?: string;
  /** Only the type that the account has. */
  @Optional() @IsIn(EMAIL_ACCOUNT_TYPES) type?: EmailAccountType;
  @Optional() @IsEmailAddress() from_email?: string;
  @Optional() @Text(255) from_name?: string;
  @Optional() @ClearedTo(DEFAULT_DAILY_LIMIT) @IsInt() @Min(1) @Max(MOST_PER_DAY) daily_limit?: number;
  @Optional() @ClearedTo(true) @IsBoolean() is_active?: boolean;

  @Optional() @IsSmtpHost() smtp_host?: string;
  @Optional() @IsSmtpPort() smtp_port?: number;
  @Optional() @IsSmtpUsername() smtp_username?: string;
  @Optional() @IsSmtpPassword() smtp_password?: string;
  @Optional() @ClearedTo('tls') @IsSmtpEncryption() smtp_encryption?: SmtpEncryption;

  @Optional() @IsApiKey() sendgrid_api_key?: string;
  @IsWebhookKey() sendgrid_webhook_key?: string | null;
}
