import { IGNORES_IDEMPOTENCY_KEY, type Route, routeMetadata } from '../routes/index.js';
import type { AcceptedResponse, DeclaredError, RouteResponse, Schema } from '../responses/index.js';
import { declaredFields } from '../fields/index.js';
import type { EntityTags } from './entity-tags.js';
import { HEADERS_OF_ERRORS, type ErrorResponseName, errorSchemas } from './error-responses.js';
import { envelopeExample } from './examples.js';
import { COMMON_HEADERS, headers, QUOTA_HEADERS, type ResponseObject } from './response-headers.js';
import type { Components } from './components.js';
import type { RouteInputs } from './route-inputs.js';
import { exampleId } from './summary.js';

const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const NOT_MODIFIED: ResponseObject = {
  description: 'The record still has the entity tag of `If-None-Match`; the body is empty.',
  headers: headers(...COMMON_HEADERS, ...QUOTA_HEADERS, 'ETag'),
};

const errorReference = (name: ErrorResponseName) => ({ $ref: `#/components/responses/${name}` });

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
      headers: headers(...HEADERS_OF_ERRORS, ...(tags.isTagged ? ['ETag'] : [])),
      content: {
        'application/json': {
          schema: isSuccess ? schema : { anyOf: [schema, ...errorSchemas(declared.otherStatus.status)] },
          example,
        },
      },
    };
  }
  return byStatus;
}

const ACCEPTED_HEADERS = ['Idempotency-Replayed', 'Location', 'Preference-Applied'];

const acceptedResponse = (route: Route, { view }: AcceptedResponse, components: Components): ResponseObject => ({
  description: 'The work is stored, and done in the background.',
  headers: headers(...COMMON_HEADERS, ...QUOTA_HEADERS, ...ACCEPTED_HEADERS),
  content: {
    'application/json': {
      schema: object({ data: components.view(view) }),
      example: envelopeExample(route, { status: 202, envelope: 'data', view }, components.texts.examples),
    },
  },
});

/** Whether the route supports `Idempotency-Key`. */
export const isReplayable = (route: Route): boolean =>
  route.method === 'POST' && !route.isPublic && !routeMetadata<true>(route, IGNORES_IDEMPOTENCY_KEY);

function errorResponses(
  route: Route,
  { body, query }: RouteInputs,
  declared: RouteResponse | undefined,
  { conditions }: EntityTags,
): Record<string, object> {
  const hasToken = !route.isPublic;
  // The body of every request that can change something is read, and fields that are not expected are invalid.
  const readsBody = body !== undefined || (route.method !== 'GET' && hasToken);
  const declares = (status: DeclaredError): boolean => declared?.errors?.includes(status) ?? false;
  const rules: [number | string, ErrorResponseName, boolean][] = [
    [400, 'BadRequest', readsBody || declares(400)],
    [401, 'Unauthorized', hasToken],
    [403, 'Forbidden', (hasToken && route.permission !== 'any') || declares(403)],
    // Of the record, or of all that the token is for, which can be deleted while the token is still cached.
    [404, 'NotFound', hasToken || route.path.includes(':') || declares(404)],
    [408, 'BodyTimeout', readsBody || declares(408)],
    [409, 'Conflict', (route.method !== 'GET' && hasToken) || declares(409)],
    [412, 'PreconditionFailed', conditions.includes('IfMatch')],
    [413, 'TooLarge', readsBody || declares(413)],
    [415, 'WrongMediaType', readsBody || declares(415)],
    [422, 'Invalid', readsBody || query !== undefined || hasToken || declares(422)],
    [429, 'TooManyRequests', hasToken || declares(429)],
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
