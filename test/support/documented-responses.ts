import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { operations, reference } from './reference.js';

/** A request, and what the service responded to it. */
export interface Exchange {
  readonly method: string;
  /** With the version, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed, if it is JSON. */
  readonly body: unknown;
}

/** Returns the schema with `additionalProperties: false` in every object that declares its fields and is not a map. */
function strict(schema: any): any {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, enum: values, examples: _examples, example: _example, ...rest } = schema;
  const inner = Object.fromEntries(Object.entries(rest).map(([keyword, value]) => [keyword, strict(value)]));
  if (!properties) return { ...inner, ...(values ? { enum: values } : {}) };
  const fields = Object.entries(properties).map(([name, field]) => [name, strict(field)]);
  return { additionalProperties: false, ...inner, properties: Object.fromEntries(fields) };
}

const named = Object.entries<any>(reference.components.schemas).map(([name, schema]) => [name, strict(schema)]);
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, inlineRefs: false });
ajv.addSchema({ components: { schemas: Object.fromEntries(named) } }, 'strict');

const validators = new Map<object, ValidateFunction>();

/** Returns the compiled schema of a body. Each is compiled once. */
function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const absolute = JSON.stringify(strict(schema)).replaceAll('"#/components', '"strict#/components');
  const compiled = ajv.compile(JSON.parse(absolute) as object);
  validators.set(schema, compiled);
  return compiled;
}

/** Fixed segments come before parameters: `/v1/contacts/export` is not the contact with the ID `export`. */
const routes = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    parameters: operation.path.split('{').length,
  }))
  .sort((one, other) => one.parameters - other.parameters);

const routesAt = (path: string) => routes.filter(({ pattern }) => pattern.test(path.replace(/\/$/, '')));

/** Whether the reference has the path. Those of another server or of an extension module are not compared. */
const hasPath = (path: string): boolean => routesAt(path).length > 0;

/** Returns the operation of a request; undefined if the reference has no such path and method. */
function operationFor(method: string, path: string): any {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const atPath = routesAt(path);
  const closest = atPath.filter(({ parameters }) => parameters === atPath[0]?.parameters);
  return closest.find(({ operation }) => operation.method === wanted)?.operation;
}

/** Returns what the API reference does not say of a response; undefined if it says all of it. */
export function undocumented(exchange: Exchange): string | undefined {
  const { method, path, status, headers } = exchange;
  const operation = operationFor(method, path);
  if (!operation) return hasPath(path) && !isRefusal(exchange) ? 'the method' : undefined;
  const declared = operation.responses[status] ?? (status >= 500 ? operation.responses.default : undefined);
  if (!declared) return `the status ${status}`;
  const response = declared.$ref ? reference.components.responses[declared.$ref.split('/').at(-1)] : declared;
  return undocumentedBody(exchange, response.content) ?? undocumentedHeaders(headers, response.headers ?? {});
}

/** Whether the response is that of every method that does not exist. OPTIONS is answered for all paths. */
const isRefusal = ({ method, status }: Exchange): boolean => method === 'OPTIONS' || [400, 404, 405].includes(status);

function undocumentedBody({ method, body, headers }: Exchange, content: any): string | undefined {
  if (method === 'HEAD' || !content) return body === '' ? undefined : 'a body';
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type';
  if (!content[type]) return `the content type ${type}`;
  if (type !== 'application/json') return undefined;
  const validate = validatorOf(content[type].schema);
  if (validate(body)) return undefined;
  return (validate.errors ?? [])
    .map(({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('\n');
}

/** Headers of HTTP itself, which the reference does not repeat. */
const STANDARD_HEADERS =
  /^(allow|cache-control|connection|content-\w+|date|keep-alive|transfer-encoding|vary|www-authenticate|x-content-type-options|strict-transport-security|referrer-policy|x-frame-options)/;

function undocumentedHeaders(headers: Headers, declared: object): string | undefined {
  const known = new Set(Object.keys(declared).map((name) => name.toLowerCase()));
  const unknown = [...headers.keys()].filter((name) => !STANDARD_HEADERS.test(name) && !known.has(name));
  return unknown.length > 0 ? `the headers ${unknown.join(', ')}` : undefined;
}

/** Throws if the API reference does not describe the response of a request. */
export function expectDocumented(exchange: Exchange): void {
  const error = undocumented(exchange);
  if (error === undefined) return;
  const { method, path, status, body } = exchange;
  const text = JSON.stringify(body).slice(0, 2_000);
  throw new Error(`The API reference does not describe the response ${status} of ${method} ${path}: ${error}\n${text}`);
}
