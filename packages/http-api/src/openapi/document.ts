import type { NonJsonBodies } from '../body/index.js';
import { ignoreReadOnlyFields } from './read-only-fields.js';
import type { Route } from '../routes/index.js';
import { Components } from './components.js';
import { entityTags } from './entity-tags.js';
import { completeExamples } from './examples.js';
import { operation, type Operation } from './operation.js';
import { type OutgoingRequests, outgoingOperations, outgoingParameters } from './outgoing.js';
import { pathTemplates } from './path-templates.js';
import type { ReferenceTexts } from './reference-texts.js';
import { errorResponses, type ErrorTexts } from './error-responses.js';
import { HEADERS } from './response-headers.js';

/** Everything in a document that does not follow from the routes. */
export interface DocumentOptions {
  readonly title: string;
  readonly version: string;
  /** Markdown */
  readonly description: string;
  /** The service's URL, without the version. */
  readonly server: string;
  readonly nonJsonBodies: NonJsonBodies;
  readonly outgoing: OutgoingRequests;
  readonly texts: ReferenceTexts;
  /** The SPDX identifier of the license. */
  readonly license: string;
  /** What a token is: a sentence. */
  readonly token: string;
  readonly errors: ErrorTexts;
}

/** Operations by path or name, and by method. */
type PathItems = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly [keyword: string]: unknown };
  readonly paths: PathItems;
  readonly webhooks: PathItems;
  readonly [keyword: string]: unknown;
}

const ENTITY_TAG = '"mUJ3R0hO1yTqk0b8Yt0cX2ZVw1s"';

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description:
      'For 24 hours a request with the same token, path and key returns the first response and changes nothing again. ' +
      'The same key with another body is a conflict. Responses with 401, 429 or 5xx are not stored, nor those of requests ' +
      'that are refused before the key is read (400, 403 for a missing permission, 405, 408, 413, 415): the key can be used again.',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description:
      'The `ETag` of the record as the client knows it. If the record has another one by now, the response is 412 and ' +
      'nothing changes.',
    example: ENTITY_TAG,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    schema: { type: 'string' },
    description:
      'The `ETag` of the record as the client knows it. If the record still has it, `GET` responds with 304 and no body, ' +
      'and a change with 412. With `*`, a record is only created, not updated.',
    example: ENTITY_TAG,
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    schema: { type: 'string' },
    description: 'With `respond-async`, the response is 202 as soon as the work is stored (RFC 7240).',
    example: 'respond-async',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    schema: { type: 'string', pattern: '^[\\w.-]{1,128}$' },
    description: 'Returned with the response; generated if absent.',
  },
};

/** Describes all routes, read from their decorators, and the requests that the service sends (OpenAPI 3.1.0). */
export function openApiDocument(routes: readonly Route[], options: DocumentOptions): OpenApiDocument {
  ignoreReadOnlyFields(routes);
  const examples = completeExamples(options.texts.examples, eventExamples(options.outgoing));
  const components = new Components({ ...options.texts, examples });
  const paths = describePaths(routes, components, options.nonJsonBodies);
  const webhooks = outgoingOperations(options.outgoing, components);
  const { title, version, description, server, license } = options;
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      contact: { name: title, url: `${server}/docs` },
      license: { name: license, identifier: license },
    },
    servers: [{ url: server }],
    security: [{ token: [] }],
    tags: tagsOf({ ...paths, ...webhooks }, options.texts),
    paths,
    webhooks,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: options.token } },
      schemas: components.schemas(),
      parameters: { ...PARAMETERS, ...outgoingParameters(options.outgoing) },
      headers: HEADERS,
      responses: errorResponses(options.errors),
    },
  };
}

/** The record of the first event with each view, by the name of the view. */
function eventExamples({ requests }: OutgoingRequests): Record<string, unknown> {
  const examples: Record<string, unknown> = {};
  for (const { view, example } of requests) examples[view.name] ??= (example as { readonly data: unknown }).data;
  return examples;
}

function describePaths(
  routes: readonly Route[],
  components: Components,
  nonJsonBodies: NonJsonBodies,
): Record<string, Record<string, Operation>> {
  const paths: Record<string, Record<string, Operation>> = {};
  const templateOf = pathTemplates(routes);
  const tagsOfRoute = entityTags(routes);
  for (const route of routes) {
    const template = templateOf(route);
    const nonJson = nonJsonBodies.find(({ path }) => path.test(route.path));
    const described = operation(route, { components, template, nonJson, tags: tagsOfRoute(route) });
    (paths[template.path] ??= {})[route.method.toLowerCase()] = described;
  }
  return Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** In the order of the texts. Tags without a text follow. */
function tagsOf(paths: PathItems, { tags }: ReferenceTexts): { name: string }[] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const used = new Set(operations.flatMap((each) => each.tags));
  const described = tags.filter(({ name }) => used.has(name));
  const others = [...used].filter((name) => !described.some((tag) => tag.name === name)).sort();
  return [...described, ...others.map((name) => ({ name }))];
}
