import type { Schema } from '../responses/index.js';
import { schemaRef } from './components.js';
import { COMMON_HEADERS, headers, QUOTA_HEADERS, type ResponseObject } from './response-headers.js';

/** Those of a route that needs a token. */
export const HEADERS_OF_ERRORS = [...COMMON_HEADERS, ...QUOTA_HEADERS, 'Idempotency-Replayed'];

const errorResponse = (description: string, example: object, schema = schemaRef('ErrorResponse')): ResponseObject => ({
  description,
  headers: headers(...HEADERS_OF_ERRORS),
  content: { 'application/json': { schema, example } },
});

const rule = (code: number, reason: string, message: string) => ({ ...httpError(code, message), reason });
const httpError = (code: number, message: string) => ({ error: 'HttpError', message, errors: null, code });
const FORBIDDEN_ERROR: Schema = { anyOf: [schemaRef('AuthenticationError'), schemaRef('RuleViolation')] };
const INVALID_ERRORS: readonly Schema[] = [schemaRef('ValidationErrorResponse'), schemaRef('RuleViolation')];

/** Returns what the bodies of errors with a status are. */
export const errorSchemas = (status: number): readonly Schema[] =>
  status === 422 ? INVALID_ERRORS : [schemaRef('ErrorResponse')];

const NOT_FOUND = httpError(404, 'Resource not found.');
const CONFLICT =
  'The request contradicts what is stored, or the first request with its Idempotency-Key is still running or has a response that was not stored.';

const conflictResponse = (reason: string, message: string): ResponseObject =>
  errorResponse(CONFLICT, rule(409, reason, message), schemaRef('RuleViolation'));

/** In the order of the reference. */
const ERROR_RESPONSES = {
  BadRequest: errorResponse('The body is malformed.', httpError(400, 'The request could not be read.')),
  Unauthorized: errorResponse(
    'The token is missing, invalid or expired.',
    { error: 'Unauthorized', message: 'The token has expired.' },
    schemaRef('AuthenticationError'),
  ),
  Forbidden: errorResponse(
    'The token lacks the permission, or the action is not allowed.',
    { error: 'Forbidden', message: 'This token lacks the permission.' },
    FORBIDDEN_ERROR,
  ),
  NotFound: errorResponse('There is no such record.', NOT_FOUND),
  Conflict: conflictResponse('name_taken', 'A record with this name already exists.'),
  BodyTimeout: errorResponse(
    'The body did not arrive in time.',
    httpError(408, 'The request body did not arrive within 30 seconds.'),
  ),
  PreconditionFailed: errorResponse(
    'The record is not in the state that `If-Match` or `If-None-Match` requires.',
    rule(412, 'precondition_failed', 'The record is not in the state that the request requires.'),
    schemaRef('RuleViolation'),
  ),
  TooLarge: errorResponse('The body is too large.', httpError(413, 'The request body is too large.')),
  WrongMediaType: errorResponse(
    'The body is of another media type.',
    httpError(415, 'The media type is not supported.'),
  ),
  Invalid: errorResponse(
    'Fields or query parameters are invalid (`errors` names them), or a business rule is violated (`reason` names it).',
    {
      error: 'ValidationError',
      message: 'The given data was invalid.',
      errors: { name: ['name must not be empty'] },
      code: 422,
    },
    { anyOf: errorSchemas(422) },
  ),
  TooManyRequests: {
    ...errorResponse('The quota is used up.', {
      error: 'TooManyRequests',
      message: 'Too Many Attempts.',
      errors: null,
      code: 429,
    }),
    headers: headers(...HEADERS_OF_ERRORS, 'Retry-After'),
  },
  Unavailable: {
    ...errorResponse('The database is not available, or another request has locked the records. Repeat the request.', {
      error: 'InternalServerError',
      message: 'The service is not available at the moment. Repeat the request later.',
      errors: null,
      code: 503,
      reason: 'unavailable',
    }),
    headers: headers(...HEADERS_OF_ERRORS, 'Retry-After'),
  },
  ServerError: errorResponse('Something went wrong on our side.', {
    error: 'InternalServerError',
    message: 'Something went wrong on our side.',
    errors: null,
    code: 500,
  }),
} satisfies Record<string, ResponseObject>;

/** What error responses say of one service. */
export interface ErrorTexts {
  /** Why a record may not be found: a sentence. */
  readonly notFound: string;
  /** A reason why a request contradicts what is stored. */
  readonly conflict: { readonly reason: string; readonly message: string };
}

/** The name of an error response that routes refer to. */
export type ErrorResponseName = keyof typeof ERROR_RESPONSES;

/** Returns the error responses that routes refer to. */
export const errorResponses = ({
  notFound,
  conflict,
}: ErrorTexts): Readonly<Record<ErrorResponseName, ResponseObject>> => ({
  ...ERROR_RESPONSES,
  NotFound: errorResponse(notFound, NOT_FOUND),
  Conflict: conflictResponse(conflict.reason, conflict.message),
});
