import { emailAddressError, isEmailAddress, MAX_EMAIL_LENGTH, normalizeEmail } from '@outreach/email-addresses';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { customRule } from './fields.js';

/** An email address of at most 254 characters. It is stored and compared in lower case, its domain with A-labels. */
export const IsEmailAddress = (options: { each?: boolean } = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => normalized(value)),
    customRule(
      'isEmailAddress',
      [],
      {
        validate: (value) => typeof value === 'string' && isEmailAddress(value),
        message: (field, args) => messageFor(field, args?.value),
      },
      options.each ?? false,
    ),
  );

const messageFor = (field: string, value: unknown): string =>
  (typeof value === 'string' ? emailAddressError(field, value) : undefined) ??
  `${field} must be an email address of at most ${MAX_EMAIL_LENGTH} characters`;

const normalized = (value: unknown): unknown =>
  typeof value === 'string' ? normalizeEmail(value) : Array.isArray(value) ? value.map(normalized) : value;
