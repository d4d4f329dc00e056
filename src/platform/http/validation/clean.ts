/** The cleaned copy of a body, and the errors found in it. */
export interface Cleaned {
  readonly value: unknown;
  /** Path of the field as the client wrote it → messages. */
  readonly errors: Record<string, string[]>;
}

const MAX_DEPTH = 20;
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/**
 * Returns a copy of parsed JSON with every string trimmed, and an error for each value that no field accepts: NUL
 * characters and lone surrogates, which PostgreSQL cannot store, keys that class-transformer would use as the object's
 * class, and nesting deeper than 20 levels.
 */
export function clean(input: Readonly<Record<string, unknown>>): Cleaned {
  const errors: Record<string, string[]> = {};
  const value = cleanValue(input, '', { errors, depth: 0 });
  return { value, errors };
}

interface Walk {
  readonly errors: Record<string, string[]>;
  readonly depth: number;
}

function cleanValue(value: unknown, path: string, walk: Walk): unknown {
  if (typeof value === 'string') return cleanText(value, path, walk);
  if (typeof value !== 'object' || value === null) return value;
  if (walk.depth === MAX_DEPTH) {
    walk.errors[path] = ['The value is nested too deeply.'];
    return null;
  }
  const deeper = { errors: walk.errors, depth: walk.depth + 1 };
  const at = (key: string | number): string => (path ? `${path}.${key}` : String(key));
  for (const key of Object.keys(value)) if (RESERVED.has(key)) walk.errors[at(key)] = ['The key is a reserved word.'];
  if (Array.isArray(value)) return value.map((item, index) => cleanValue(item, at(index), deeper));
  // fromEntries defines own properties, so that a key such as __proto__ stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanValue(item, at(key), deeper)]));
}

function cleanText(text: string, path: string, walk: Walk): string {
  if (text.includes('\0')) walk.errors[path] = ['The text must not contain NUL characters.'];
  else if (!text.isWellFormed()) walk.errors[path] = ['The text must be valid Unicode.'];
  return text.trim();
}
