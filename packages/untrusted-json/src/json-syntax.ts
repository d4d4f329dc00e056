/** The first place at which a text is not JSON. */
export interface JsonSyntaxError {
  /** From 1 on. */
  readonly line: number;
  /** From 1 on, in UTF-16 units. */
  readonly column: number;
  /** What could be there: "a comma or }". */
  readonly expected: string;
  /** Whether the text ends there. */
  readonly isAtEnd: boolean;
}

type Expected =
  | 'a value'
  | 'a value or ]'
  | 'a key in double quotes'
  | 'a key in double quotes or }'
  | 'a colon'
  | 'a comma or }'
  | 'a comma or ]'
  | 'nothing more';

const SPACE = /[\t\n\r ]*/y;
/** Each character of a string is one from the space on, other than the quote and the backslash, or escaped. */
const STRING_START = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?/;
const TOKEN = new RegExp(`[{}[\\],:]|${STRING_START.source}"|(?:${NUMBER.source}|true|false|null)(?![\\w.+-])`, 'y');

/** Returns the first error of a text by the grammar of RFC 8259; undefined for a JSON text. */
export function jsonSyntaxError(text: string): JsonSyntaxError | undefined {
  /** What ends the objects and arrays that have begun. */
  const ends: ('}' | ']')[] = [];
  let expected: Expected = 'a value';
  let at = match(SPACE, text, 0).length;
  while (at < text.length) {
    const token = match(TOKEN, text, at);
    const next: Expected | undefined = token === '' ? undefined : after(token, expected, ends);
    if (next === undefined)
      return text[at] === '"' && token === '' ? stringError(text, at) : errorAt(text, at, expected);
    expected = next;
    at += token.length;
    at += match(SPACE, text, at).length;
  }
  return expected === 'nothing more' ? undefined : errorAt(text, at, expected);
}

/** Returns what follows a token, or undefined if it may not be there. */
function after(token: string, expected: Expected, ends: ('}' | ']')[]): Expected | undefined {
  if (expected.endsWith(` or ${token}`)) {
    ends.pop();
    return afterValue(ends);
  }
  switch (expected) {
    case 'a key in double quotes':
    case 'a key in double quotes or }':
      return token.startsWith('"') ? 'a colon' : undefined;
    case 'a colon':
      return token === ':' ? 'a value' : undefined;
    case 'a comma or }':
      return token === ',' ? 'a key in double quotes' : undefined;
    case 'a comma or ]':
      return token === ',' ? 'a value' : undefined;
    case 'nothing more':
      return undefined;
    case 'a value':
    case 'a value or ]':
      return afterStart(token, ends);
  }
}

function afterStart(token: string, ends: ('}' | ']')[]): Expected | undefined {
  switch (token) {
    case '{':
      ends.push('}');
      return 'a key in double quotes or }';
    case '[':
      ends.push(']');
      return 'a value or ]';
    case '}':
    case ']':
    case ',':
    case ':':
      return undefined;
    default:
      return afterValue(ends);
  }
}

function afterValue(ends: readonly ('}' | ']')[]): Expected {
  const end = ends.at(-1);
  return end ? `a comma or ${end}` : 'nothing more';
}

function stringError(text: string, start: number): JsonSyntaxError {
  const at = start + match(STRING_START, text, start).length;
  if (at >= text.length) return errorAt(text, at, 'a double quote that ends the string');
  const isEscape = text[at] === '\\';
  return errorAt(
    text,
    at,
    isEscape
      ? 'an escape sequence of JSON, such as \\\\'
      : 'no control character, but its escape sequence, such as \\n',
  );
}

function errorAt(text: string, at: number, expected: string): JsonSyntaxError {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1, expected, isAtEnd: at >= text.length };
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
