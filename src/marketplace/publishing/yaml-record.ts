import { type Document, isMap, LineCounter, parseDocument, visit } from 'yaml';
import { ValidationFailed } from '@outreach/http-errors';
import { validInput } from '@outreach/http-api/validation';
import type { FileError } from './invalid-catalogue.js';

/** A validated record with the line of each field, or its errors. */
export type YamlRecord<T> =
  { readonly value: T; readonly lineOf: (field: string) => number } | { readonly errors: readonly FileError[] };

/**
 * Parses YAML and validates it by the rules of an input class.
 * @param firstLine the line of the file in which the YAML begins
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

/**
 * Returns an error for each alias. A value that begins with `*` is an alias, not a string, and no record needs aliases.
 */
function aliasesIn(document: Document, lineAt: (offset: number) => number): FileError[] {
  const errors: FileError[] = [];
  visit(document, {
    Alias: (_key, { source, range }) => {
      errors.push({ line: lineAt(range?.[0] ?? 0), reason: `*${source} must be in quotes to be a string` });
    },
  });
  return errors;
}

const fieldErrors = ({ errors }: ValidationFailed, lineOf: (field: string) => number): FileError[] =>
  Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((reason) => ({ line: lineOf(field), reason: `${field}: ${reason}` })),
  );
