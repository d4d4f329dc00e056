import type { Permission } from '@outreach/http-api/routes';

/** The part of JSON Schema that the OpenAPI document uses for input. */
export interface InputSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: InputSchema;
  readonly anyOf?: readonly InputSchema[];
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly required?: readonly string[];
}

/** An operation of the OpenAPI document. */
export interface ApiOperation {
  readonly method: string;
  /** With parameters in braces, as in the document: `/v1/contacts/{id}`. */
  readonly path: string;
  /** `any` if every valid token may call it, undefined if it needs no token. */
  readonly permission: Permission | 'any' | undefined;
  readonly query: readonly { readonly name: string; readonly schema: InputSchema }[];
  readonly body?: { readonly contentType: string; readonly schema: InputSchema };
}

interface DescribedOperation {
  readonly 'x-permission'?: Permission;
  readonly security?: readonly unknown[];
  readonly parameters: readonly { readonly in?: string; readonly name: string; readonly schema: InputSchema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: InputSchema }>> };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, InputSchema>> };
}

/** The operations of a service, and the schemas to which they refer. */
export interface DescribedApi {
  readonly operations: readonly ApiOperation[];
  readonly schemas: Readonly<Record<string, InputSchema>>;
}

/** Reads the OpenAPI document of a running service. */
export async function describedApi(url: string): Promise<DescribedApi> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDocument;
  const { schemas } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(method, path, described, schemas)),
  );
  return { operations, schemas };
}

function operationOf(
  method: string,
  path: string,
  described: DescribedOperation,
  schemas: DescribedApi['schemas'],
): ApiOperation {
  const [content] = Object.entries(described.requestBody?.content ?? {});
  return {
    method: method.toUpperCase(),
    path,
    permission: described.security?.length === 0 ? undefined : (described['x-permission'] ?? 'any'),
    query: described.parameters.filter((one) => one.in === 'query'),
    ...(content ? { body: { contentType: content[0], schema: resolved(content[1].schema ?? {}, schemas) } } : {}),
  };
}

const resolved = (schema: InputSchema, schemas: DescribedApi['schemas']): InputSchema =>
  schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
