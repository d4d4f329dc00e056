import { definedReasons, type ReasonDefinition } from '@outreach/http-errors';
import type { Schema } from '../responses/index.js';
import { enumSchema } from './enums.js';

const KIND = 'The kind of error, for programs.';
const MESSAGE: Schema = { type: 'string', description: 'For people; the wording may change.' };
const CODE: Schema = { type: 'integer', description: 'The HTTP status.' };
const FIELD_MESSAGES: Schema = { type: 'array', items: { type: 'string' } };
const REASON: Schema = { $ref: '#/components/schemas/ErrorReason' };
const NO_ERRORS: Schema = { type: 'null', description: 'Only a ValidationError has them.', examples: [null] };

const ERROR: Schema = {
  type: 'object',
  properties: {
    error: {
      type: 'string',
      enum: ['ValidationError', 'Forbidden', 'HttpError', 'TooManyRequests', 'InternalServerError'],
      description: KIND,
    },
    message: MESSAGE,
    errors: {
      type: ['object', 'null'],
      description: 'Of a ValidationError: the path of each invalid field, as the client wrote it → messages.',
      additionalProperties: FIELD_MESSAGES,
    },
    code: CODE,
    reason: {
      ...REASON,
      description:
        'The rule that the request violates, or why it can be repeated later, for programs. Not with other errors.',
    },
  },
  required: ['error', 'message', 'errors', 'code'],
};

const VALIDATION_ERROR: Schema = {
  type: 'object',
  properties: {
    error: { type: 'string', const: 'ValidationError', description: KIND },
    message: MESSAGE,
    errors: {
      type: 'object',
      description: 'The path of each invalid field, as the client wrote it → messages.',
      additionalProperties: FIELD_MESSAGES,
    },
    code: { ...CODE, const: 422 },
  },
  required: ['error', 'message', 'errors', 'code'],
};

const RULE_VIOLATION: Schema = {
  type: 'object',
  properties: {
    error: { type: 'string', enum: ['Forbidden', 'HttpError'], description: KIND },
    message: MESSAGE,
    errors: NO_ERRORS,
    code: CODE,
    reason: { ...REASON, description: 'The rule that the request violates, for programs.' },
  },
  required: ['error', 'message', 'errors', 'code', 'reason'],
};

const AUTHENTICATION_ERROR: Schema = {
  type: 'object',
  properties: {
    error: { type: 'string', enum: ['Unauthorized', 'Forbidden'], description: KIND },
    message: MESSAGE,
  },
  required: ['error', 'message'],
};

/** The schemas of error responses, by name. */
export const ERROR_SCHEMAS = {
  ErrorResponse: ERROR,
  ValidationErrorResponse: VALIDATION_ERROR,
  RuleViolation: RULE_VIOLATION,
  AuthenticationError: AUTHENTICATION_ERROR,
};

/** Returns the enum of the reasons that the loaded modules declare. */
export const reasonSchema = (): Schema =>
  enumSchema({
    name: 'ErrorReason',
    text: 'Which rule a request violates, or why it can be repeated later. Values can be added.',
    values: [...meanings(definedReasons())].map(([code, texts]) => [code, [...texts].join(' ')]),
  });

/** One code can be that of several rules. */
function meanings(reasons: readonly ReasonDefinition[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byCode = new Map<string, Set<string>>();
  for (const { code, status, meaning } of reasons) {
    byCode.set(code, (byCode.get(code) ?? new Set()).add(`(${status}) ${meaning}`));
  }
  return byCode;
}
