import { IGNORES_IDEMPOTENCY_KEY } from '../ignores-idempotency-key.js';
import type { AcceptedResponse } from '../accepted.js';
import type { RouteResponse } from '../responds.decorator.js';
import type { Route } from '../routes.js';
import type { Schema } from '../view.js';
import { declaredFields } from '../validation/index.js';
import type { EntityTags } from './entity-tags.js';
import { envelopeExample } from './examples.js';
import { type Components, schemaRef } from './components.js';
import type { RouteInputs } from './route-inputs.js';
import { exampleId } from './summary.js';

/** A response object of OpenAPI. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const headers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, header(name)]));
const COMMON_HEADERS = ['X-Request-Id', 'X-API-Version'];
const QUOTA_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining'];

/** The headers of responses. */
export const HEADERS = {
  'X-Request-Id': { schema: { type: 'string' }, description: "The client's if it matches `[\\w.-]{1,128}`" },
  'X-API-Version': { schema: { type: 'string' } },
  'X-RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requests a minute' },
  'X-RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Requests left in this minute' },
  'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Seconds to wait' },
  'X-Ignored-Parameters': {
    schema: { type: 'string' },
    description: 'The unknown query parameters of the request, in percent-encoding, joined by commas.',
  },
  ETag: {
    schema: { type: 'string' },
    description: 'The strong entity tag of the record, for `If-Match` and `If-None-Match` (RFC 9110).',
  },
  Location: { schema: { type: 'string', format: 'uri' }, description: 'The URL of the record of the work.' },
  'Preference-Applied': {
    schema: { type: 'string', enum: ['respond-async'] },
    description: 'The preference of the client that was applied (RFC 7240).',
  },
  'Idempotency-Replayed': {
    schema: { type: 'string', enum: ['true'] },
    description: 'The response is that of an earlier request.',
  },
};

const errorResponse = (description: string, example: object, schema = schemaRef('ErrorResponse')): ResponseObject => ({
  description,
  headers: headers(...COMMON_HEADERS),
  content: { 'application/json': { schema, example } },
});

const httpError = (code: number, message: string) => ({ error: 'HttpError', message, errors: null, code });
const FORBIDDEN_ERROR: Schema = { anyOf: [schemaRef('AuthenticationError'), schemaRef('ErrorResponse')] };

/** The error responses that routes refer to. */
export const ERROR_RESPONSES = {
  BadRequest: errorResponse('The body is malformed.', httpError(400, 'The request could not be read.')),
  Unauthorized: errorResponse(
    'The token is missing, invalid or expired.',
    { error: 'Unauthorized', message: 'Unauthenticated.' },
    schemaRef('AuthenticationError'),
  ),
  Forbidden: errorResponse(
    'The token lacks the permission, or the action is not allowed.',
    { error: 'Forbidden', message: 'This token lacks the permission.' },
    FORBIDDEN_ERROR,
  ),
  NotFound: errorResponse('The workspace has no such record.', httpError(404, 'Resource not found.')),
  Conflict: errorResponse(
    'The request contradicts what is stored, or the first request with its Idempotency-Key is still running or has a response that was not stored.',
    httpError(409, 'The name is taken.'),
  ),
  BodyTimeout: errorResponse(
    'The body did not arrive in time.',
    httpError(408, 'The request body did not arrive within 30 seconds.'),
  ),
  PreconditionFailed: errorResponse('The record is not in the state that `If-Match` or `If-None-Match` requires.', {
    ...httpError(412, 'The record is not in the state that the request requires.'),
    reason: 'precondition_failed',
  }),
  TooLarge: errorResponse('The body is too large.', httpError(413, 'The request body is too large.')),
  WrongMediaType: errorResponse(
    'The body is of another media type.',
    httpError(415, 'The media type is not supported.'),
  ),
  Invalid: errorResponse('Fields are invalid (`errors` names them), or a business rule is violated.', {
    error: 'ValidationError',
    message: 'The given data was invalid.',
    errors: { name: ['name must not be empty'] },
    code: 422,
  }),
  TooManyRequests: {
    ...errorResponse('The quota is used up.', {
      error: 'TooManyRequests',
      message: 'Too Many Attempts.',
      errors: null,
      code: 429,
    }),
    headers: headers(...COMMON_HEADERS, ...QUOTA_HEADERS, 'Retry-After'),
  },
  Unavailable: {
    ...errorResponse('The database is not available, or another request has locked the records. Repeat the request.', {
      error: 'ServiceUnavailable',
      message: 'The service is not available at the moment. Repeat the request later.',
      errors: null,
      code: 503,
    }),
    headers: headers(...COMMON_HEADERS, 'Retry-After'),
  },
  ServerError: errorResponse('Something went wrong on our side.', {
    error: 'InternalServerError',
    message: 'Something went wrong on our side.',
    errors: null,
    code: 500,
  }),
} satisfies Record<string, ResponseObject>;

const NOT_MODIFIED: ResponseObject = {
  description: 'The record still has the entity tag of `If-None-Match`; the body is empty.',
  headers: headers(...COMMON_HEADERS, ...QUOTA_HEADERS, 'ETag'),
};

const errorReference = (name: keyof typeof ERROR_RESPONSES) => ({ $ref: `#/components/responses/${name}` });

/** Returns all responses of a route, by status. */
export function responses(
  route: Route,
  inputs: RouteInputs,
  declared: RouteResponse | undefined,
  { components, tags }: { readonly components: Components; readonly tags: EntityTags },
) {
  const success = content(route, inputs, declared, components);
  const byStatus: Record<string, object> = {
    [declared?.status ?? 200]: {
      description: declared?.status === 204 ? 'Done; the body is empty.' : 'Success.',
      headers: headers(
        ...COMMON_HEADERS,
        ...(route.isPublic ? [] : QUOTA_HEADERS),
        ...(inputs.query && !route.isPublic ? ['X-Ignored-Parameters'] : []),
        ...(isReplayable(route) ? ['Idempotency-Replayed'] : []),
        ...(tags.isTagged ? ['ETag'] : []),
      ),
      ...(success ? { content: success } : {}),
    },
    ...errorResponses(route, inputs, tags),
  };
  if (route.method === 'GET' && tags.isTagged) byStatus[304] = NOT_MODIFIED;
  if (declared?.accepted) byStatus[202] = acceptedResponse(route, declared.accepted, components);
  if (declared?.otherStatus && success) {
    const { schema, example } = success['application/json'] ?? { schema: {} };
    const isSuccess = declared.otherStatus.status < 300;
    byStatus[declared.otherStatus.status] = {
      description: isSuccess ? 'Created.' : 'The same body with another result, or an error.',
      headers: headers(...COMMON_HEADERS, ...QUOTA_HEADERS, ...(tags.isTagged ? ['ETag'] : [])),
      content: {
        'application/json': { schema: isSuccess ? schema : { anyOf: [schema, schemaRef('ErrorResponse')] }, example },
      },
    };
  }
  return byStatus;
}

const acceptedResponse = (route: Route, { view }: AcceptedResponse, components: Components): ResponseObject => ({
  description: 'The work is stored, and done in the background.',
  headers: headers(...COMMON_HEADERS, ...QUOTA_HEADERS, 'Idempotency-Replayed', 'Location', 'Preference-Applied'),
  content: {
    'application/json': {
      schema: object({ data: components.view(view) }),
      example: envelopeExample(route, { status: 202, envelope: 'data', view }, components.texts.examples),
    },
  },
});

/** Whether the route supports `Idempotency-Key`. */
export const isReplayable = (route: Route): boolean =>
  route.method === 'POST' &&
  !route.isPublic &&
  !Reflect.hasMetadata(IGNORES_IDEMPOTENCY_KEY, (route.controller as Record<string, object>)[route.handler] ?? {});

function errorResponses(
  route: Route,
  { body, query }: RouteInputs,
  { conditions }: EntityTags,
): Record<string, object> {
  const writes = route.method !== 'GET';
  const rules: [number | string, keyof typeof ERROR_RESPONSES, boolean][] = [
    [400, 'BadRequest', body !== undefined],
    [401, 'Unauthorized', !route.isPublic],
    [403, 'Forbidden', !route.isPublic && route.permission !== 'any'],
    [404, 'NotFound', route.path.includes(':')],
    [408, 'BodyTimeout', body !== undefined],
    [409, 'Conflict', writes && !route.isPublic],
    [412, 'PreconditionFailed', conditions.includes('IfMatch')],
    [413, 'TooLarge', body !== undefined],
    [415, 'WrongMediaType', body !== undefined],
    [422, 'Invalid', body !== undefined || query !== undefined || isReplayable(route)],
    [429, 'TooManyRequests', !route.isPublic],
    [503, 'Unavailable', !route.isPublic],
    ['default', 'ServerError', true],
  ];
  return Object.fromEntries(
    rules.flatMap(([status, name, applies]) => (applies ? [[status, errorReference(name)]] : [])),
  );
}

function content(
  route: Route,
  { query }: RouteInputs,
  declared: RouteResponse | undefined,
  components: Components,
): ResponseObject['content'] {
  if (declared?.status === 204) return undefined;
  const own = components.texts.examples.operations[exampleId(route)]?.response;
  const example = own ?? (declared && envelopeExample(route, declared, components.texts.examples));
  const schema = declared
    ? bodySchema(declared, components, hasCursor(query))
    : { type: 'object', additionalProperties: true };
  return {
    [declared?.mediaType ?? 'application/json']: { schema, ...(example === undefined ? {} : { example }) },
  };
}

/** Whether the pages of a list can be read with a cursor. */
const hasCursor = (query: RouteInputs['query']): boolean => query !== undefined && declaredFields(query).has('cursor');

const bodySchema = (declared: RouteResponse, components: Components, isCursorList: boolean): Schema =>
  declared.mediaType ? { type: 'string' } : envelopeSchema(declared, dataSchema(declared, components), isCursorList);

const dataSchema = ({ view, schema }: RouteResponse, components: Components): Schema =>
  view ? components.view(view) : components.resolve(schema ?? {});

function envelopeSchema({ envelope, message }: RouteResponse, schema: Schema, isCursorList: boolean): Schema {
  switch (envelope) {
    case 'none':
      return schema;
    case 'data':
      return object({
        data: schema,
        ...(message ? { message: { type: 'string', description: 'A sentence for people.' } } : {}),
      });
    case 'page':
      return object({
        data: { type: 'array', items: schema },
        links: schemaRef(isCursorList ? 'CursorPageLinks' : 'PageLinks'),
        meta: schemaRef(isCursorList ? 'CursorPageMeta' : 'PageMeta'),
      });
    default:
      return envelope satisfies never;
  }
}
