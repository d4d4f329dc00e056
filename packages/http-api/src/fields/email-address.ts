import {
  hasInternationalLocalPart,
  isEmailAddress,
  localPartRule,
  MAX_EMAIL_LENGTH,
  normalizeEmail,
} from '@outreach/email-addresses';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { customRule } from './fields.js';

/** An email address of at most 254 characters. It is stored and compared in lower case, its domain with A-labels. */
export const IsEmailAddress = (options: { each?: boolean } = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => normalized(value)),
    // Each value fails one of the two rules at most.
    customRule(
      'isEmailAddress',
      [],
      {
        validate: (value) => typeof value === 'string' && (isEmailAddress(value) || hasInternationalLocalPart(value)),
        message: (field) => `${field} must be an email address of at most ${MAX_EMAIL_LENGTH} characters`,
      },
      options.each ?? false,
    ),
    customRule(
      'isAsciiLocalPart',
      [],
      {
        validate: (value) => typeof value !== 'string' || !hasInternationalLocalPart(value),
        message: localPartRule,
        schema: {},
      },
      options.each ?? false,
    ),
  );

const normalized = (value: unknown): unknown =>
  typeof value === 'string' ? normalizeEmail(value) : Array.isArray(value) ? value.map(normalized) : value;
