import { applyDecorators } from '@nestjs/common';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, Min, ValidateIf } from 'class-validator';
import { normalizeHost } from '../../platform/egress/index.js';
import { DKIM_KEY_RULE, isDkimKey, isSelector } from '../dkim/index.js';
import {
  NullableField,
  NullableTextField,
  customRule,
  MaxCodePoints,
  TextField,
} from '../../platform/http/fields/index.js';
import { IgnoredIf } from '../../platform/http/validation/index.js';
import { isDomainName } from '../domain-name.js';
import { EmailAccount, MAX_RAMP_START, SMTP_PORTS } from '../email-account.entity.js';
import { IMAP_ENCRYPTIONS } from '../imap/index.js';
import { hasInput } from '../providers/providers.js';
import { isWebhookKey } from '../providers/sendgrid/webhook-signature.js';
import { SMTP_ENCRYPTIONS } from '../smtp/index.js';

const MAX_SECRET_LENGTH = 1000;
const MAX_DOMAIN_LENGTH = 253;
/** With `._domainkey.` and a domain, the name of its record has at most 253 characters. */
const MAX_SELECTOR_LENGTH = 100;
/** An RSA key of 4,096 bits has 3,300 characters. */
const MAX_PRIVATE_KEY_LENGTH = 10_000;

/** An input of one provider: required for its new accounts, and ignored for others. */
export const OfProvider = (): PropertyDecorator => (target, input) =>
  ValidateIf((account: { type?: unknown }) => hasInput(account.type, String(input)))(target, input);

/** Ignored, whatever its value, if the stored account is of another provider (API v1, "Email accounts"). */
export const OfStoredProvider = (): PropertyDecorator => (target, input) =>
  IgnoredIf((context) => !hasInput(context.record(EmailAccount)?.type, String(input)))(target, input);

const isHostName = (): PropertyDecorator =>
  customRule('isHostName', [], {
    validate: (value) => typeof value === 'string' && normalizeHost(value) !== undefined,
    message: (field) => `${field} must be a host name or an IP address`,
    schema: {},
  });

export const IsSmtpHost = (): PropertyDecorator => applyDecorators(MaxCodePoints(255), isHostName());

export const IsSmtpPort = (): PropertyDecorator => IsIn(SMTP_PORTS);

export const IsSmtpEncryption = (): PropertyDecorator => IsIn(SMTP_ENCRYPTIONS);

export const IsSmtpUsername = (): PropertyDecorator => TextField(255);

export const IsSmtpPassword = (): PropertyDecorator => TextField(MAX_SECRET_LENGTH);

/** null ends the ramp. */
export const IsRampStart = (): PropertyDecorator =>
  applyDecorators(NullableField(), IsInt(), Min(1), Max(MAX_RAMP_START));

/** null or an empty string clears it. */
export const IsImapHost = (): PropertyDecorator => applyDecorators(NullableTextField(255), isHostName());

export const IsImapPort = (): PropertyDecorator => applyDecorators(IsInt(), Min(1), Max(65_535));

export const IsImapEncryption = (): PropertyDecorator => IsIn(IMAP_ENCRYPTIONS);

/** null or an empty string clears it. */
export const IsImapUsername = (): PropertyDecorator => NullableTextField(255);

/** null or an empty string clears it. */
export const IsImapPassword = (): PropertyDecorator => NullableTextField(MAX_SECRET_LENGTH);

/** Visible ASCII characters only, because the key is sent in an HTTP header. */
export const IsApiKey = (): PropertyDecorator =>
  applyDecorators(
    MaxCodePoints(MAX_SECRET_LENGTH),
    customRule('isApiKey', [], {
      validate: (value) => typeof value === 'string' && /^[\x21-\x7e]*$/.test(value),
      message: (field) => `${field} must hold visible ASCII characters only`,
      schema: {},
    }),
    IsNotEmpty(),
    IsString(),
  );

/** The "Verification Key" that SendGrid shows. null or an empty string clears it. */
export const IsWebhookKey = (): PropertyDecorator =>
  applyDecorators(
    NullableTextField(MAX_SECRET_LENGTH),
    customRule('isWebhookKey', [], {
      validate: (value) => typeof value === 'string' && isWebhookKey(value),
      message: (field) => `${field} must be a public key on the curve P-256, as DER in base64`,
      schema: {},
    }),
  );

/** null or an empty string clears it. */
export const IsDkimDomain = (): PropertyDecorator =>
  applyDecorators(
    NullableTextField(MAX_DOMAIN_LENGTH),
    customRule('isDkimDomain', [], {
      validate: (value) => typeof value === 'string' && isDomainName(value),
      message: (field) => `${field} must be the name of a domain such as example.com`,
      schema: {},
    }),
  );

/** null or an empty string clears it. */
export const IsDkimSelector = (): PropertyDecorator =>
  applyDecorators(
    NullableTextField(MAX_SELECTOR_LENGTH),
    customRule('isDkimSelector', [], {
      validate: (value) => typeof value === 'string' && isSelector(value),
      message: (field) => `${field} must consist of letters, digits and hyphens, in labels that are separated by dots`,
      schema: {},
    }),
  );

/** null or an empty string clears it. */
export const IsDkimPrivateKey = (): PropertyDecorator =>
  applyDecorators(
    NullableTextField(MAX_PRIVATE_KEY_LENGTH),
    customRule('isDkimPrivateKey', [], {
      validate: (value) => typeof value === 'string' && isDkimKey(value),
      message: (field) => `${field} ${DKIM_KEY_RULE}`,
      schema: {},
    }),
  );
