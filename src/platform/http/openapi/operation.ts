import { ROUTE_RESPONSE, type RouteResponse } from '../responds.decorator.js';
import { MEGABYTE } from '../body.js';
import type { Route } from '../routes.js';
import { UPLOAD, type UploadRule } from '../upload/index.js';
import type { Components } from './components.js';
import { type InputField, inputFields, objectSchema } from './input-schema.js';
import { isReplayable, responses } from './responses.js';
import type { PathTemplate } from './path-templates.js';
import { type RouteInputs, routeInputs } from './route-inputs.js';
import { summaryOf, humanize } from './summary.js';

/** An operation object of OpenAPI. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly [keyword: string]: unknown;
}

/** The tag of routes outside the versioned API. */
export const UNVERSIONED_TAG = 'Outside the API';

/** What an operation needs of its document. */
export interface OperationContext {
  readonly components: Components;
  readonly template: PathTemplate;
  /** The media types of a body that is not JSON. */
  readonly nonJsonTypes: readonly string[];
}

/** Returns the operation of a route, read from its decorators. */
export function operation(route: Route, { components, template, nonJsonTypes }: OperationContext): Operation {
  const inputs = routeInputs(route);
  const method = (route.controller as Readonly<Record<string, object>>)[route.handler] ?? {};
  const declared = Reflect.getMetadata(ROUTE_RESPONSE, method) as RouteResponse | undefined;
  const upload = Reflect.getMetadata(UPLOAD, method) as UploadRule | undefined;
  const body = requestBody(inputs, upload, components, nonJsonTypes);
  return {
    operationId: operationId(route),
    tags: [tag(route)],
    summary: summaryOf(route) ?? route.handler,
    ...accessOf(route),
    parameters: [
      ...pathParameters(template, inputs),
      ...queryParameters(inputs, components),
      ...headerParameters(route),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: responses(route, inputs, declared, components),
  };
}

/** `EmailAccountsController.setDefault` → `emailAccountsSetDefault`. */
function operationId({ controller, handler }: Route): string {
  const name = controller.constructor.name.replace(/Controller$/, '');
  return `${name[0]?.toLowerCase()}${name.slice(1)}${handler[0]?.toUpperCase()}${handler.slice(1)}`;
}

function tag({ path }: Route): string {
  const [version, area] = path.split('/').filter(Boolean);
  if (!area || !/^v\d+$/.test(version ?? '')) return UNVERSIONED_TAG;
  const humanized = humanize(area);
  return `${humanized[0]?.toUpperCase()}${humanized.slice(1)}`;
}

function accessOf({ isPublic, permission }: Route): object {
  if (isPublic) return { description: 'Needs no token.', security: [] };
  if (permission === 'any') return { description: 'Any valid token is accepted.' };
  return { description: `Needs the permission \`${permission}\`.`, 'x-permission': permission };
}

const pathParameters = ({ names }: PathTemplate, { textParameters: texts }: RouteInputs): object[] =>
  [...names].map(([name, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    ...(name === parameter ? {} : { description: `The ${name}` }),
    schema: texts.includes(name)
      ? { type: 'string' }
      : { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  }));

const queryParameters = ({ query }: RouteInputs, components: Components): object[] =>
  query ? inputFields(query, components.input).map(queryParameter) : [];

const queryParameter = ({ name, required, schema }: InputField): object => ({
  name,
  in: 'query',
  ...(required ? { required } : {}),
  schema: schema.type === 'boolean' ? { type: 'integer', enum: [1, 0] } : schema,
});

const headerParameters = (route: Route): object[] => [
  ...(isReplayable(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  { $ref: '#/components/parameters/RequestId' },
];

function requestBody(
  { body }: RouteInputs,
  upload: UploadRule | undefined,
  components: Components,
  nonJsonTypes: readonly string[],
): object | undefined {
  if (upload) {
    const fields = body ? inputFields(body, components.input) : [];
    return { required: true, content: { 'multipart/form-data': uploadForm(fields, upload) } };
  }
  if (!body) return nonJsonTypes.length > 0 ? { required: true, content: contentOf(nonJsonTypes, {}) } : undefined;
  const types = nonJsonTypes.length > 0 ? nonJsonTypes : ['application/json'];
  return {
    required: inputFields(body, components.input).some(({ required }) => required),
    content: contentOf(types, { schema: components.input(body) }),
  };
}

const contentOf = (types: readonly string[], described: object): object =>
  Object.fromEntries(types.map((type) => [type, described]));

/** In a form an array is written as `lists[]` and an object as `mapping[email]`. */
function uploadForm(fields: readonly InputField[], { field, maxBytes }: UploadRule): object {
  const file: InputField = {
    name: field,
    required: true,
    nullable: false,
    schema: { type: 'string', contentMediaType: 'application/octet-stream', description: fileSize(maxBytes) },
  };
  const formFields = fields.map((each) => (each.schema.type === 'array' ? { ...each, name: `${each.name}[]` } : each));
  const objectFields = formFields.filter(({ schema }) => schema.type === 'object');
  return {
    schema: objectSchema([file, ...formFields]),
    encoding: Object.fromEntries(objectFields.map(({ name }) => [name, { style: 'deepObject', explode: true }])),
  };
}

const fileSize = (bytes: number): string => `A file of at most ${bytes / MEGABYTE} MB`;
