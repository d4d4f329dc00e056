import { declaredResponse } from '../records/index.js';
import type { RouteResponse, Schema } from '../responses/index.js';
import { MEGABYTE, type NonJsonBody } from '../body/index.js';
import { type Route, routeMetadata } from '../routes/index.js';
import { UPLOAD, type UploadRule } from '../upload/index.js';
import type { Components } from './components.js';
import { type InputField, inputFields, objectSchema } from './input-schema.js';
import type { EntityTags } from './entity-tags.js';
import { isReplayable, responses } from './responses.js';
import type { PathTemplate } from './path-templates.js';
import { type RouteInputs, routeInputs } from './route-inputs.js';
import { pathParameters, queryParameters } from './parameters.js';
import type { ReferenceTexts } from './reference-texts.js';
import { descriptionOf, exampleId, humanize, operationId, summaryOf } from './summary.js';

/** An operation object of OpenAPI. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly [keyword: string]: unknown;
}

/** The tag of routes outside the versioned API. */
const UNVERSIONED_TAG = 'Outside the API';

/** What an operation needs of its document. */
export interface OperationContext {
  readonly components: Components;
  readonly template: PathTemplate;
  /** The body, if it is not JSON or is read as bytes. */
  readonly nonJson: NonJsonBody | undefined;
  readonly tags: EntityTags;
}

/** Returns the operation of a route, read from its decorators. */
export function operation(route: Route, { components, template, nonJson, tags }: OperationContext): Operation {
  const inputs = routeInputs(route);
  const { texts } = components;
  const declared = declaredResponse(route);
  const body = requestBody({ route, inputs, components, nonJson, record: declared?.view?.name });
  return {
    operationId: operationId(route),
    tags: [tag(route)],
    summary: summaryOf(route) ?? route.handler,
    ...accessOf(route, textOf(route, texts)),
    parameters: [
      ...pathParameters(route, template, inputs, texts),
      ...queryParameters(inputs, components),
      ...headerParameters(route, declared, tags),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: responses(route, inputs, declared, { components, tags }),
  };
}

function textOf(route: Route, { handlers }: ReferenceTexts): string | undefined {
  const { controller, handler, method } = route;
  const text = descriptionOf(route) ?? handlers[`${controller.constructor.name}.${handler}`];
  return method === 'PATCH' ? ['Does what `PUT` does.', text].filter(Boolean).join(' ') : text;
}

function tag({ path }: Route): string {
  const [version, area] = path.split('/').filter(Boolean);
  if (!area || !/^v\d+$/.test(version ?? '')) return UNVERSIONED_TAG;
  const humanized = humanize(area);
  return `${humanized[0]?.toUpperCase()}${humanized.slice(1)}`;
}

function accessOf({ isPublic, permission }: Route, text: string | undefined): object {
  const described = (access: string): { description: string } => ({
    description: [text, access].filter(Boolean).join('\n\n'),
  });
  if (isPublic) return { ...described('Needs no token.'), security: [] };
  if (permission === 'any') return described('Any valid token is accepted.');
  return { ...described(`Needs the permission \`${permission}\`.`), 'x-permission': permission };
}

const headerParameters = (route: Route, declared: RouteResponse | undefined, { conditions }: EntityTags): object[] => [
  ...(declared?.accepted ? [{ $ref: '#/components/parameters/Prefer' }] : []),
  ...conditions.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ...(isReplayable(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  { $ref: '#/components/parameters/RequestId' },
];

interface BodyDeclaration {
  readonly route: Route;
  readonly inputs: RouteInputs;
  readonly components: Components;
  readonly nonJson: NonJsonBody | undefined;
  /** The name of the schema of the record in the response. */
  readonly record: string | undefined;
}

function requestBody(declaration: BodyDeclaration): object | undefined {
  const { route, inputs, components, nonJson, record } = declaration;
  const { types: nonJsonTypes = [], schema = {} } = nonJson ?? {};
  const { body } = inputs;
  const { operations, schemas } = components.texts.examples;
  const request = operations[exampleId(route)]?.request ?? (body && schemas[components.nameOf(body)]);
  const example = request === undefined ? {} : { example: request };
  const upload = routeMetadata<UploadRule>(route, UPLOAD);
  if (upload && body) {
    const { schema, encoding } = uploadForm(inputFields(body, components.input), upload);
    return requiredBody(['multipart/form-data'], { schema: components.form(body, schema), encoding, ...example });
  }
  if (!body) return nonJsonTypes.length > 0 ? requiredBody(nonJsonTypes, { schema, ...example }) : undefined;
  const types = nonJsonTypes.length > 0 ? nonJsonTypes : ['application/json'];
  const required = inputFields(body, components.input).some((field) => field.required);
  return { ...requiredBody(types, { schema: components.input(body, record), ...example }), required };
}

const requiredBody = (types: readonly string[], described: object) => ({
  required: true,
  content: Object.fromEntries(types.map((type) => [type, described])),
});

/** In a form an array is written as `lists[]` and an object as `mapping[email]`. */
function uploadForm(
  fields: readonly InputField[],
  { field, maxBytes }: UploadRule,
): { schema: Schema; encoding: object } {
  const file: InputField = {
    name: field,
    required: true,
    nullable: false,
    schema: { type: 'string', format: 'binary', description: fileSize(maxBytes) },
  };
  const formFields = fields.map((each) => (each.schema.type === 'array' ? { ...each, name: `${each.name}[]` } : each));
  const objectFields = formFields.filter(({ schema }) => schema.type === 'object');
  return {
    schema: objectSchema([file, ...formFields]),
    encoding: Object.fromEntries(objectFields.map(({ name }) => [name, { style: 'deepObject', explode: true }])),
  };
}

const fileSize = (bytes: number): string => `At most ${bytes / MEGABYTE} MB.`;
