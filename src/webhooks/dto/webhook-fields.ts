import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { EgressPolicy, publicHttpsUrl, urlHostError } from '@outreach/egress';
import type { FieldErrors } from '@outreach/http-errors';
import { customRule, MaxCodePoints } from '@outreach/http-api/fields';
import type { InputCheck } from '@outreach/http-api/validation';
import { EVENT_NAMES } from '../event-names.js';

const MAX_URL_LENGTH = 255;
/** Limits the size of the error: each unknown name causes a message that lists all names. */
const MAX_EVENTS = 100;

const urlError = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return 'The URL must be a string.';
  const parsed = publicHttpsUrl(value);
  return 'error' in parsed ? parsed.error : undefined;
};

/** Returns an error if the host of a webhook URL has no public address. */
export const urlHostErrors: InputCheck<{ readonly url?: string }> = async ({ url }, { context }) => {
  if (url === undefined) return {};
  const error = await urlHostError(new URL(url), context.inject(EgressPolicy));
  const errors: FieldErrors = error === undefined ? {} : { url: [error] };
  return errors;
};

/** Checks the form of a webhook URL; {@link urlHostErrors} checks the addresses of its host. */
export const IsWebhookUrl = (): PropertyDecorator =>
  applyDecorators(
    MaxCodePoints(MAX_URL_LENGTH),
    customRule('isWebhookUrl', [], {
      validate: (value) => urlError(value) === undefined,
      message: (field, about) => urlError(about?.value) ?? `${field} must be a public HTTPS URL`,
      schema: { type: 'string', format: 'uri' },
    }),
  );

/** One or more event names. Repeated names are removed. */
export const IsEventNames = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (areEventNames(value) ? [...new Set<unknown>(value)] : value)),
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_EVENTS),
    IsIn(EVENT_NAMES, { each: true }),
  );

/** Repeated names stay in an invalid list, because errors refer to positions in the request. */
const areEventNames = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((name) => EVENT_NAMES.some((known) => known === name));
