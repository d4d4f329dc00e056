import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { CheckedBy, NullResetsTo, IsEmailAddress, IsOneLine, TextField } from '../../platform/http/index.js';
import { newAccountErrors } from '../account-errors.js';
import { DEFAULT_DAILY_LIMIT, MAX_DAILY_LIMIT, type SmtpEncryption } from '../email-account.entity.js';
import {
  IsApiKey,
  IsSmtpEncryption,
  IsSmtpHost,
  IsSmtpPassword,
  IsSmtpPort,
  IsSmtpUsername,
  IsWebhookKey,
  OnlyFor,
} from './account-fields.js';

/** The other types are connected by OAuth (API v1, "Email account"). */
const CREATABLE_TYPES = ['smtp', 'sendgrid'] as const;

@CheckedBy(newAccountErrors)
export class CreateEmailAccountDto {
  @TextField(255) name!: string;
  @IsIn(CREATABLE_TYPES) type!: (typeof CREATABLE_TYPES)[number];
  @IsEmailAddress() from_email!: string;
  @IsOneLine() @TextField(255) from_name!: string;
  @NullResetsTo(DEFAULT_DAILY_LIMIT) @IsInt() @Min(1) @Max(MAX_DAILY_LIMIT) daily_limit: number = DEFAULT_DAILY_LIMIT;
  @NullResetsTo(true) @IsBoolean() is_active: boolean = true;

  @OnlyFor('smtp') @IsSmtpHost() smtp_host?: string;
  @OnlyFor('smtp') @IsSmtpPort() smtp_port?: number;
  @OnlyFor('smtp') @IsSmtpUsername() smtp_username?: string;
  @OnlyFor('smtp') @IsSmtpPassword() smtp_password?: string;
  @OnlyFor('smtp') @NullResetsTo('tls') @IsSmtpEncryption() smtp_encryption: SmtpEncryption = 'tls';

  @OnlyFor('sendgrid') @IsApiKey() sendgrid_api_key?: string;
  @OnlyFor('sendgrid') @IsWebhookKey() sendgrid_webhook_key?: string | null;
}
