import type { OperationReader } from './described-operation.js';
import { Code, literal } from './source-text.js';

/** A value of `x-codeSamples`, an extension of OpenAPI that several renderers know. */
export interface CodeSample {
  readonly lang: 'TypeScript';
  readonly label: string;
  readonly source: string;
}

const FORM = 'multipart/form-data';
const JSON_TYPE = 'application/json';

/** What a call of `outreach-client` has in its options. */
type CallOptions = Readonly<Record<string, unknown>>;

/**
 * Returns the example of an operation in TypeScript: with clients/typescript if its types know the path, else with `fetch`.
 * @param url the service's URL, without the version
 */
export function codeSample(operation: OperationReader, url: string, isOfService: boolean): CodeSample {
  const usesClient = isOfService && operation.path.startsWith('/v1/');
  const source = usesClient ? withClient(operation, url) : withFetch(operation, url);
  return { lang: 'TypeScript', label: 'TypeScript', source };
}

function withClient(operation: OperationReader, url: string): string {
  const reading = iteration(operation);
  const imports = reading === undefined ? 'createClient, unwrap' : 'createClient';
  const options = { baseUrl: url, token: new Code("process.env.OUTREACH_TOKEN ?? ''") };
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
  const form = body?.type === FORM ? `${formData(body.example)}\n` : '';
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
  type === FORM ? { body: new Code('{ file }'), bodySerializer: new Code('() => form') } : { body: example };

/** The beginning and the end of a statement that prints what a call returns. */
function assignment(result: OperationReader['result']): { readonly start: string; readonly end: string } {
  if (!result) return { start: '', end: '' };
  const isEnvelope = result.properties.includes('data');
  const name = result.type !== JSON_TYPE ? 'text' : isEnvelope ? 'data' : 'record';
  return { start: `const ${isEnvelope ? '{ data }' : name} = `, end: `\nconsole.log(${name});` };
}

function withFetch(operation: OperationReader, url: string): string {
  const { body } = operation;
  const headers = {
    ...(operation.needsToken && { Authorization: new Code('`Bearer ${process.env.OUTREACH_TOKEN}`') }),
    ...(body && body.type !== FORM && { 'Content-Type': body.type }),
  };
  const options = {
    ...(operation.method !== 'get' && { method: operation.method.toUpperCase() }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body: fetchBody(body) }),
  };
  const start = `const response = await fetch(${literal(url + filledPath(operation))}`;
  const form = body?.type === FORM ? `${formData(body.example)}\n` : '';
  const request = Object.keys(options).length === 0 ? start : `${start}, ${literal(options, start.length + 4)}`;
  return `${form}${request});\nconsole.log(response.status, ${responseBody(operation)});`;
}

function fetchBody({ type, example }: { type: string; example: unknown }): Code {
  if (type === FORM) return new Code('form');
  if (type !== JSON_TYPE) return new Code(literal(example));
  return new Code(`JSON.stringify(${literal(example, 24, 1)})`);
}

function responseBody({ result }: OperationReader): string {
  if (result?.type === JSON_TYPE) return 'await response.json()';
  return result?.type.startsWith('image/') ? 'await response.blob()' : 'await response.text()';
}

/** The path with the examples of its parameters. */
function filledPath(operation: OperationReader): string {
  const values = operation.parameters('path');
  const valueOf = (name: string): string => {
    const value = values[name];
    return typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(value) : name;
  };
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
}

/** Statements that fill a form with the fields of an example: `tags[]` for lists, `mapping[email]` for objects. */
function formData(example: unknown): string {
  const lines = Object.entries(example as Record<string, unknown>).flatMap(([name, value]) => formFields(name, value));
  return ['const form = new FormData();', ...lines].join('\n');
}

function formFields(name: string, value: unknown): string[] {
  if (name === 'file')
    return [
      `const file = new Blob([${literal(value)}], { type: 'text/csv' });`,
      `form.set('file', file, 'contacts.csv');`,
    ];
  if (Array.isArray(value)) return value.map((item) => `form.append('${name}', '${String(item)}');`);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([field, item]) => `form.set('${name}[${field}]', ${literal(item)});`);
  return [`form.set('${name}', ${literal(String(value))});`];
}
