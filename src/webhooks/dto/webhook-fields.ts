import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { publicHttpsUrl } from '../../platform/egress/index.js';
import { declare, MaxCodePoints } from '../../platform/http/index.js';
import { EVENT_NAMES } from '../event-names.js';

const LONGEST_URL = 255;
/** Far more than there are names; each wrong one is answered by a line that lists them all. */
const MOST_EVENTS = 100;

const faultOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return 'The URL must be a string.';
  const verdict = publicHttpsUrl(value);
  return 'fault' in verdict ? verdict.fault : undefined;
};

/** A URL that webhooks may have by its form; where its host is, is asked when the rest of the body is right. */
export const IsWebhookUrl = (): PropertyDecorator =>
  applyDecorators(
    MaxCodePoints(LONGEST_URL),
    declare('isWebhookUrl', [], {
      validate: (value) => faultOf(value) === undefined,
      message: (field, about) => faultOf(about?.value) ?? `${field} must be a public HTTPS URL`,
      schema: { type: 'string', format: 'uri' },
    }),
  );

/** One event name or more. Naming one twice says nothing more. */
export const IsEventNames = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (isRightThroughout(value) ? [...new Set<unknown>(value)] : value)),
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MOST_EVENTS),
    IsIn(EVENT_NAMES, { each: true }),
  );

/** Faults are named by their place in what was sent, so only what has none is shortened. */
const isRightThroughout = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((name) => EVENT_NAMES.some((known) => known === name));
