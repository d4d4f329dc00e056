import type { OperationReader } from './operation-reader.js';
import { Code, literal } from './source-text.js';

/** The media type of a form with a file (RFC 7578). */
export const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';

/** What an operation does not say. */
export interface SampleOptions {
  /** The URL of the service, before the path. */
  readonly url: string;
  /** The variable of the environment that has the token. */
  readonly tokenVariable: string;
  /** The name and the media type of a file in a form. */
  readonly file: { readonly name: string; readonly type: string };
}

/** Returns a call of an operation with `fetch`, which prints the response. */
export function fetchSample(operation: OperationReader, options: SampleOptions): string {
  const { body } = operation;
  const headers = {
    ...(operation.needsToken && { Authorization: new Code(`\`Bearer \${process.env.${options.tokenVariable}}\``) }),
    ...(body && body.type !== MULTIPART && { 'Content-Type': body.type }),
  };
  const init = {
    ...(operation.method !== 'get' && { method: operation.method.toUpperCase() }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body: fetchBody(body) }),
  };
  const start = `const response = await fetch(${literal(options.url + filledPath(operation))}`;
  const form = body?.type === MULTIPART ? `${formData(body.example, options.file)}\n` : '';
  const request = Object.keys(init).length === 0 ? start : `${start}, ${literal(init, start.length + 4)}`;
  return `${form}${request});\nconsole.log(response.status, ${responseBody(operation)});`;
}

function fetchBody({ type, example }: { type: string; example: unknown }): Code {
  if (type === MULTIPART) return new Code('form');
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

/** Returns statements that fill a form with the fields of an example: `tags[]` for lists, `mapping[email]` for objects. */
export function formData(example: unknown, file: SampleOptions['file']): string {
  const lines = Object.entries(example as Record<string, unknown>).flatMap(([name, value]) =>
    name === 'file' ? fileFields(value, file) : formFields(name, value),
  );
  return ['const form = new FormData();', ...lines].join('\n');
}

function formFields(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => `form.append('${name}', '${String(item)}');`);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([field, item]) => `form.set('${name}[${field}]', ${literal(item)});`);
  return [`form.set('${name}', ${literal(String(value))});`];
}

const fileFields = (content: unknown, { name, type }: SampleOptions['file']): string[] => [
  `const file = new Blob([${literal(content)}], { type: '${type}' });`,
  `form.set('file', file, '${name}');`,
];
