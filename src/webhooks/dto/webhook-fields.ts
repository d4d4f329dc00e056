import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { publicHttpsUrl } from '../../platform/egress/index.js';
import { customRule, MaxCodePoints } from '../../platform/http/index.js';
import { EVENT_NAMES } from '../event-names.js';

const MAX_URL_LENGTH = 255;
/** Far more than there are names; each wrong one is answered by a line that lists them all. */
const MAX_EVENTS = 100;

const urlError = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return 'The URL must be a string.';
  const parsed = publicHttpsUrl(value);
  return 'error' in parsed ? parsed.error : undefined;
};

/** A URL that webhooks may have by its form; where its host is, is asked when the rest of the body is right. */
export const IsWebhookUrl = (): PropertyDecorator =>
  applyDecorators(
    MaxCodePoints(MAX_URL_LENGTH),
    customRule('isWebhookUrl', [], {
      validate: (value) => urlError(value) === undefined,
      message: (field, about) => urlError(about?.value) ?? `${field} must be a public HTTPS URL`,
      schema: { type: 'string', format: 'uri' },
    }),
  );

/** One event name or more. Naming one twice says nothing more. */
export const IsEventNames = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (areEventNames(value) ? [...new Set<unknown>(value)] : value)),
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_EVENTS),
    IsIn(EVENT_NAMES, { each: true }),
  );

/** Faults are named by their place in what was sent, so only what has none is shortened. */
const areEventNames = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((name) => EVENT_NAMES.some((known) => known === name));
