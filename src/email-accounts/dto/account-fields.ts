import { applyDecorators } from '@nestjs/common';
import { IsIn, IsNotEmpty, IsString, ValidateIf } from 'class-validator';
import { normalizeHost } from '../../platform/egress/index.js';
import { declare, MaxCodePoints, Text } from '../../platform/http/index.js';
import { type EmailAccountType, SMTP_ENCRYPTIONS, SMTP_PORTS } from '../email-account.entity.js';

const LONGEST_SECRET = 1000;

/** Required of accounts of one type, and ignored on others. */
export const OnlyFor = (type: EmailAccountType): PropertyDecorator =>
  ValidateIf((account: { type?: unknown }) => account.type === type);

export const IsSmtpHost = (): PropertyDecorator =>
  applyDecorators(
    MaxCodePoints(255),
    declare('isHostName', [], {
      validate: (value) => typeof value === 'string' && normalizeHost(value) !== undefined,
      message: (field) => `${field} must be a host name or an IP address`,
    }),
  );

export const IsSmtpPort = (): PropertyDecorator => IsIn(SMTP_PORTS);

export const IsSmtpEncryption = (): PropertyDecorator => IsIn(SMTP_ENCRYPTIONS);

export const IsSmtpUsername = (): PropertyDecorator => Text(255);

export const IsSmtpPassword = (): PropertyDecorator => Text(LONGEST_SECRET);

/** It travels in an HTTP header, which takes no other characters. */
export const IsApiKey = (): PropertyDecorator =>
  applyDecorators(
    MaxCodePoints(LONGEST_SECRET),
    declare('isApiKey', [], {
      validate: (value) => typeof value === 'string' && /^[\x21-\x7e]*$/.test(value),
      message: (field) => `${field} must hold visible ASCII characters only`,
    }),
    IsNotEmpty(),
    IsString(),
  );
