/** How long a line of generated code should be at most. */
const MAX_LINE = 80;
const INDENT = '  ';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Code that is inserted as it is, where other values become literals. */
export class Code {
  constructor(readonly text: string) {}
}

/**
 * Returns a value of JSON as a literal of TypeScript, formatted as Prettier would.
 * @param used how many characters are before and after it on its line
 */
export function literal(value: unknown, used = 0, depth = 0): string {
  const line = onOneLine(value);
  const isShort = line.length + used <= MAX_LINE;
  if (isShort || typeof value !== 'object' || value === null || value instanceof Code) return line;
  const members = Array.isArray(value)
    ? value.map((item) => ['', item] as const)
    : Object.entries(value).map(([name, item]) => [`${key(name)}: `, item] as const);
  const indent = INDENT.repeat(depth + 1);
  const lines = members.map(
    ([start, item]) => `${indent}${start}${literal(item, indent.length + start.length + 1, depth + 1)},\n`,
  );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join('')}${INDENT.repeat(depth)}${close}`;
}

function onOneLine(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const members = Object.entries(value).map(([name, item]) => `${key(name)}: ${onOneLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const key = (name: string): string => (IDENTIFIER.test(name) ? name : quoted(name));

/** Single quotes, unless the text has some. */
function quoted(text: string): string {
  const escaped = JSON.stringify(text);
  return text.includes("'") ? escaped : `'${escaped.slice(1, -1).replaceAll('\\"', '"')}'`;
}
