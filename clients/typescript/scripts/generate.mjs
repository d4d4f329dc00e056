// Writes src/schema.ts: the types of docs/openapi.json, and the lists of routes that the client needs at run time.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const reference = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
const blob = ts.factory.createTypeReferenceNode('Blob');

const types = await openapiTS(withIndexTypes(reference), {
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
  // A field with a default may be left out of a request.
  defaultNonNullable: false,
});

/**
 * In TypeScript the type of the further properties of an object has to include those of the named ones.
 * @returns the document with schemas for which that holds
 */
function withIndexTypes(document) {
  return JSON.parse(JSON.stringify(document), (_, value) => {
    const { properties, additionalProperties } = value ?? {};
    if (!properties || typeof additionalProperties !== 'object') return value;
    return { ...value, additionalProperties: { anyOf: [additionalProperties, ...Object.values(properties)] } };
  });
}

/** @returns the names of the parameters of an operation */
const parametersOf = (operation) =>
  (operation?.parameters ?? []).map(
    ({ $ref, name }) => name ?? reference.components.parameters[$ref.split('/').at(-1)].name,
  );

/** @returns each path with the parameters of one of its methods, for those with one of the given parameters */
const pathsWith = (method, ...wanted) =>
  Object.entries(reference.paths)
    .map(([path, operations]) => [path, parametersOf(operations[method])])
    .filter(([, names]) => wanted.some((name) => names.includes(name)));

const PAGING = ['page', 'per_page', 'cursor', 'total'];
const paging = pathsWith('get', 'page', 'cursor').map(([path, names]) => [
  path,
  PAGING.filter((name) => names.includes(name)),
]);
const withKey = pathsWith('post', 'Idempotency-Key').map(([path]) => path);

const source = `/* Generated from docs/openapi.json by scripts/generate.mjs. */
${astToString(types)}
/** The version of the API that these types describe. */
export const API_VERSION = ${JSON.stringify(reference.info.version)};

/** The lists, with the parameters by which they are read page after page. */
export const PAGING_PARAMETERS: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(Object.fromEntries(paging), null, 2)};

/** The paths whose POST takes an \`Idempotency-Key\`. */
export const IDEMPOTENCY_KEY_PATHS: ReadonlySet<string> = new Set(${JSON.stringify(withKey, null, 2)});
`;
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
writeFileSync(new URL('../src/schema.ts', import.meta.url), source);
