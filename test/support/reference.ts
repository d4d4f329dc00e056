import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The generated API reference. */
export const reference: any = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

/** A property, parameter, body or response of the reference. */
export interface DescribedValue {
  /** Such as `Contact.email`, `listContacts?page` or `createContact 201`. */
  readonly place: string;
  readonly schema: any;
  readonly description?: string;
  readonly examples: readonly unknown[];
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, inlineRefs: false });
ajv.addSchema(reference as object, 'reference');

const validators = new Map<string, ValidateFunction>();

/** Returns what is wrong with a value by a schema of the reference; undefined if it is valid. */
export function schemaErrors(schema: unknown, value: unknown): string | undefined {
  const absolute = JSON.stringify(schema).replaceAll('"#/components', '"reference#/components');
  const validator = validators.get(absolute) ?? ajv.compile(JSON.parse(absolute) as object);
  validators.set(absolute, validator);
  return validator(value) ? undefined : ajv.errorsText(validator.errors);
}

/** Returns the schema that a reference names, or the schema itself. */
export const resolved = (schema: any): any =>
  schema?.$ref ? reference.components.schemas[schema.$ref.split('/').at(-1)] : schema;

/** All operations on paths, with their method and path. */
export const operations: readonly any[] = Object.entries<any>(reference.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);

/** Returns the operation with an ID. */
export const operationOf = (id: string): any => operations.find(({ operationId }) => operationId === id);

/** Returns the example of an operation's body. */
export const requestExample = (id: string): any =>
  Object.values<any>(operationOf(id).requestBody?.content ?? {})[0]?.example;

/** All properties of the named schemas. */
export const properties: readonly DescribedValue[] = Object.entries<any>(reference.components.schemas).flatMap(
  ([name, { properties: fields = {} }]) =>
    Object.entries<any>(fields).map(([field, schema]) => ({
      place: `${name}.${field}`,
      schema,
      description: schema.description,
      examples: schema.examples ?? [],
    })),
);

/** All parameters of all operations. */
export const parameters: readonly DescribedValue[] = operations.flatMap(({ operationId, parameters: declared }) =>
  declared.map((parameter: any) => {
    const { name, schema, description, example } = parameter.$ref
      ? reference.components.parameters[parameter.$ref.split('/').at(-1)]
      : parameter;
    const place = `${operationId}?${name}`;
    return { place, schema, description, examples: example === undefined ? [] : [example] };
  }),
);

const contents = (place: string, { content = {} }: any): DescribedValue[] =>
  Object.entries<any>(content).map(([type, { schema, example }]) => ({
    place: `${place} ${type}`,
    schema: schema ?? {},
    examples: example === undefined ? [] : [example],
  }));

/** All bodies of requests. */
export const requestBodies: readonly DescribedValue[] = operations.flatMap(({ operationId, requestBody }) =>
  contents(`${operationId} request`, requestBody ?? {}),
);

/** All bodies of responses, errors included. */
export const responseBodies: readonly DescribedValue[] = operations.flatMap(({ operationId, responses }) =>
  Object.entries<any>(responses).flatMap(([status, response]) =>
    contents(
      `${operationId} ${status}`,
      response.$ref ? reference.components.responses[response.$ref.split('/').at(-1)] : response,
    ),
  ),
);
