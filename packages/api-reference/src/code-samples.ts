import { Code, fetchSample, formData, literal, MULTIPART, type OperationReader } from '@outreach/openapi-samples';

/** A value of `x-codeSamples`, an extension of OpenAPI that several renderers know. */
export interface CodeSample {
  readonly lang: 'TypeScript';
  readonly label: string;
  readonly source: string;
}

const JSON_TYPE = 'application/json';
const TOKEN_VARIABLE = 'OUTREACH_TOKEN';
/** Of the only form with a file: an import. */
const FILE = { name: 'contacts.csv', type: 'text/csv' };

/** What a call of `outreach-client` has in its options. */
type CallOptions = Readonly<Record<string, unknown>>;

/**
 * Returns the example of an operation in TypeScript: with clients/typescript if its types know the path, else with `fetch`.
 * @param url the service's URL, without the version
 */
export function codeSample(operation: OperationReader, url: string, isOfService: boolean): CodeSample {
  const usesClient = isOfService && operation.path.startsWith('/v1/');
  const source = usesClient
    ? withClient(operation, url)
    : fetchSample(operation, { url, tokenVariable: TOKEN_VARIABLE, file: FILE });
  return { lang: 'TypeScript', label: 'TypeScript', source };
}

function withClient(operation: OperationReader, url: string): string {
  const reading = iteration(operation);
  const imports = reading === undefined ? 'createClient, unwrap' : 'createClient';
  const options = { baseUrl: url, token: new Code(`process.env.${TOKEN_VARIABLE} ?? ''`) };
  return [
    `import { ${imports} } from 'outreach-client';`,
    `const client = createClient(${literal(options, 'const client = createClient();'.length)});`,
    reading ?? call(operation),
  ].join('\n\n');
}

/** A loop over all records of a list, or over the events; undefined if the operation returns neither. */
function iteration(operation: OperationReader): string | undefined {
  if (operation.method !== 'get' || !operation.result?.properties.includes('meta')) return undefined;
  if (operation.path === '/v1/events')
    return 'for await (const { id, event, data } of client.iterateEvents()) {\n  console.log(id, event, data);\n}';
  const { page, cursor } = operation.parameters('query');
  if (page === undefined && cursor === undefined) return undefined;
  const path = operation.parameters('path');
  const start = `for await (const record of client.iterate('${operation.path}'`;
  const options = Object.keys(path).length === 0 ? '' : `, ${literal({ path }, start.length + 6)}`;
  return `${start}${options})) {\n  console.log(record);\n}`;
}

function call(operation: OperationReader): string {
  const { body, result } = operation;
  const form = body?.type === MULTIPART ? `${formData(body.example, FILE)}\n` : '';
  const options = callOptions(operation, result?.type);
  const { start, end } = assignment(result);
  const before = `${start}await unwrap(client.${operation.method.toUpperCase()}('${operation.path}'`;
  const after = '));';
  if (Object.keys(options).length === 0) return before + after + end;
  return `${form}${before}, ${literal(options, before.length + after.length + 2)}${after}${end}`;
}

function callOptions(operation: OperationReader, resultType: string | undefined): CallOptions {
  const parameters = (place: 'path' | 'query' | 'header') =>
    operation.parameters(place, ({ required }) => required === true);
  const params = { path: parameters('path'), query: parameters('query'), header: parameters('header') };
  const used = Object.entries(params).filter(([, values]) => Object.keys(values).length > 0);
  const { body } = operation;
  return {
    ...(used.length > 0 && { params: Object.fromEntries(used) }),
    ...(body && bodyOptions(body)),
    ...(resultType !== undefined && resultType !== JSON_TYPE && { parseAs: 'text' }),
  };
}

const bodyOptions = ({ type, example }: { type: string; example: unknown }): CallOptions =>
  type === MULTIPART ? { body: new Code('{ file }'), bodySerializer: new Code('() => form') } : { body: example };

/** The beginning and the end of a statement that prints what a call returns. */
function assignment(result: OperationReader['result']): { readonly start: string; readonly end: string } {
  if (!result) return { start: '', end: '' };
  const isEnvelope = result.properties.includes('data');
  const name = result.type !== JSON_TYPE ? 'text' : isEnvelope ? 'data' : 'record';
  return { start: `const ${isEnvelope ? '{ data }' : name} = `, end: `\nconsole.log(${name});` };
}
