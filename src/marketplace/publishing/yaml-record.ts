import { type Document, isMap, LineCounter, parseDocument, visit } from 'yaml';
import { ValidationFailed } from '../../platform/errors/index.js';
import { validInput } from '../../platform/http/index.js';
import type { FileError } from './invalid-catalogue.js';

/** A record that YAML describes, with the line of each of its fields, or all that is wrong with it. */
export type YamlRecord<T> =
  { readonly value: T; readonly lineOf: (field: string) => number } | { readonly errors: readonly FileError[] };

/**
 * Reads YAML as an input class, by the rules that the class declares for its fields.
 * @param firstLine the line, in its file, that the YAML begins in
 */
export async function readYamlRecord<T extends object>(
  input: new () => T,
  source: string,
  firstLine: number,
): Promise<YamlRecord<T>> {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => lines.linePos(offset).line + firstLine - 1;
  if (document.errors.length > 0) {
    return { errors: document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), reason: message })) };
  }
  const aliases = aliasesIn(document, lineAt);
  if (aliases.length > 0) return { errors: aliases };
  const { contents } = document;
  if (!isMap(contents)) return { errors: [{ line: firstLine, reason: 'there must be fields, such as "slug: …"' }] };
  const lineOf = (field: string): number => {
    const path = field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const node = document.getIn(path, true) ?? document.getIn(path.slice(0, 1), true);
    const range = (node as { range?: readonly number[] | null } | undefined)?.range;
    return range ? lineAt(range[0] ?? 0) : firstLine;
  };
  try {
    return { value: await validInput(input, document.toJS()), lineOf };
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    return { errors: fieldErrors(error, lineOf) };
  }
}

/** What begins with a `*` is no text: it refers to another part of the YAML, which no record here has a use for. */
function aliasesIn(document: Document, lineAt: (offset: number) => number): FileError[] {
  const errors: FileError[] = [];
  visit(document, {
    Alias: (_key, { source, range }) => {
      errors.push({ line: lineAt(range?.[0] ?? 0), reason: `*${source} must be in quotes to be a text` });
    },
  });
  return errors;
}

const fieldErrors = ({ errors }: ValidationFailed, lineOf: (field: string) => number): FileError[] =>
  Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((reason) => ({ line: lineOf(field), reason: `${field}: ${reason}` })),
  );
