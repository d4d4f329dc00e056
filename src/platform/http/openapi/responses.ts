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

/** Those of a route that needs a token. */
const ERROR_HEADERS = [...COMMON_HEADERS, ...QUOTA_HEADERS, 'X-Ignored-Parameters', 'Idempotency-Replayed'];

const errorResponse = (description: string, example: object, schema = schemaRef('ErrorResponse')): ResponseObject => ({
  description,
  headers: headers(...ERROR_HEADERS),
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
  NotFound: errorResponse(
    'The workspace has no such record, or the workspace was deleted.',
    httpError(404, 'Resource not found.'),
  ),
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
    headers: headers(...ERROR_HEADERS, 'Retry-After'),
  },
  Unavailable: {
    ...errorResponse('The database is not available, or another request has locked the records. Repeat the request.', {
      error: 'ServiceUnavailable',
      message: 'The service is not available at the moment. Repeat the request later.',
      errors: null,
      code: 503,
    }),
    headers: headers(...ERROR_HEADERS, 'Retry-After'),
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
  headers: headers(...COMMON_HEADERS, ...QUOTA_HEADERS, 'X-Ignored-Parameters', 'ETag'),
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
        ...(route.isPublic ? [] : ['X-Ignored-Parameters']),
        ...(isReplayable(route) ? ['Idempotency-Replayed'] : []),
        ...(tags.isTagged ? ['ETag'] : []),
      ),
      ...(success ? { content: success } : {}),
    },
    ...errorResponses(route, inputs, declared, tags),
  };
  if (route.method === 'GET' && tags.isTagged) byStatus[304] = NOT_MODIFIED;
  if (declared?.accepted) byStatus[202] = acceptedResponse(route, declared.accepted, components);
  if (declared?.otherStatus && success) {
    const { schema, example } = success['application/json'] ?? { schema: {} };
    const isSuccess = declared.otherStatus.status < 300;
    byStatus[declared.otherStatus.status] = {
      description: isSuccess ? 'Created.' : 'The same body with another result, or an error.',
      headers: headers(...ERROR_HEADERS, ...(tags.isTagged ? ['ETag'] : [])),
      content: {
        'application/json': { schema: isSuccess ? schema : { anyOf: [schema, schemaRef('ErrorResponse')] }, example },
      },
    };
  }
  return byStatus;
}

const ACCEPTED_HEADERS = ['Idempotency-Replayed', 'Location', 'Preference-Applied'];

const acceptedResponse = (route: Route, { view }: AcceptedResponse, components: Components): ResponseObject => ({
  description: 'The work is stored, and done in the background.',
  headers: headers(...COMMON_HEADERS, ...QUOTA_HEADERS, 'X-Ignored-Parameters', ...ACCEPTED_HEADERS),
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
  declared: RouteResponse | undefined,
  { conditions }: EntityTags,
): Record<string, object> {
  const hasToken = !route.isPublic;
  // BodyGuard reads the body of every request that can change something, and fields that are not expected are invalid.
  const readsBody = body !== undefined || (route.method !== 'GET' && hasToken);
  const declares = (status: 409 | 422): boolean => declared?.errors?.includes(status) ?? false;
  const rules: [number | string, keyof typeof ERROR_RESPONSES, boolean][] = [
    [400, 'BadRequest', readsBody],
    [401, 'Unauthorized', hasToken],
    [403, 'Forbidden', hasToken && route.permission !== 'any'],
    // Of the record, or of the workspace, which can be deleted while the token is still cached.
    [404, 'NotFound', hasToken || route.path.includes(':')],
    [408, 'BodyTimeout', readsBody],
    [409, 'Conflict', (route.method !== 'GET' && hasToken) || declares(409)],
    [412, 'PreconditionFailed', conditions.includes('IfMatch')],
    [413, 'TooLarge', readsBody],
    [415, 'WrongMediaType', readsBody],
    [422, 'Invalid', readsBody || query !== undefined || declares(422)],
    [429, 'TooManyRequests', hasToken],
    [503, 'Unavailable', hasToken],
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
  declared.mediaType ? { type: 'string' } : envelopeSchema(declared, components, isCursorList);

const dataSchema = ({ view, schema }: RouteResponse, components: Components): Schema =>
  view ? components.view(view) : components.resolve(schema ?? {});

function envelopeSchema(declared: RouteResponse, components: Components, isCursorList: boolean): Schema {
  const { envelope, message, view } = declared;
  const schema = dataSchema(declared, components);
  switch (envelope) {
    case 'none':
      return schema;
    case 'data':
      return object({
        data: schema,
        ...(message ? { message: { type: 'string', description: 'A sentence for people.' } } : {}),
      });
    case 'page':
      return components.page(view?.name ?? '', schema, isCursorList);
    default:
      return envelope satisfies never;
  }
}
