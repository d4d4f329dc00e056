import {
  type JsonErrors,
  MAX_LEVELS,
  MAX_OBJECT_KEYS,
  MAX_VALUES,
  tooDeep,
  tooManyKeys,
  TooManyValues,
  tooManyValues,
} from './json-limits.js';

/** The cleaned copy of a body, and the errors found in it. */
export interface Cleaned {
  /** Null if the body has more than 1,000 keys: nothing is known of its fields. */
  readonly value: Readonly<Record<string, unknown>> | null;
  /** Path of the field as the client wrote it → messages. */
  readonly errors: JsonErrors;
}

const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/**
 * Returns a copy of parsed JSON with every string trimmed, and an error for each value that no field accepts: NUL
 * characters and lone surrogates, which PostgreSQL cannot store, keys that class-transformer would use as the object's
 * class, nesting deeper than 20 levels, and objects with more than 1,000 keys.
 * @throws TooManyValues if there are more than 20,000 values, which would occupy the process for too long
 */
export function clean(input: Readonly<Record<string, unknown>>): Cleaned {
  // A key can be `__proto__`.
  const walk: Walk = { errors: Object.create(null) as Walk['errors'], values: 0 };
  const value = cleanValue(input, '', 0, walk) as Cleaned['value'];
  return { value, errors: walk.errors };
}

interface Walk {
  readonly errors: Record<string, string[]>;
  /** The number of values in all objects and arrays until now. */
  values: number;
}

function cleanValue(value: unknown, path: string, depth: number, walk: Walk): unknown {
  if (typeof value === 'string') return cleanText(value, path, walk);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_LEVELS) {
    Object.assign(walk.errors, tooDeep(path));
    return null;
  }
  return Array.isArray(value)
    ? cleanArray(value as unknown[], path, depth, walk)
    : cleanObject(value as Readonly<Record<string, unknown>>, path, depth, walk);
}

function cleanArray(array: readonly unknown[], path: string, depth: number, walk: Walk): unknown[] {
  count(array.length, path, walk);
  return array.map((item, index) => cleanValue(item, `${path}.${index}`, depth + 1, walk));
}

function cleanObject(
  object: Readonly<Record<string, unknown>>,
  path: string,
  depth: number,
  walk: Walk,
): object | null {
  const keys = Object.keys(object);
  if (keys.length > MAX_OBJECT_KEYS) {
    Object.assign(walk.errors, tooManyKeys(path));
    return null;
  }
  count(keys.length, path, walk);
  // fromEntries defines own properties, so that a key such as __proto__ stays a key.
  return Object.fromEntries(
    keys.flatMap((key) => {
      const at = path ? `${path}.${key}` : key;
      if (!path || !RESERVED.has(key)) return [[key, cleanValue(object[key], at, depth + 1, walk)]];
      walk.errors[at] = ['The key is a reserved word.'];
      return [];
    }),
  );
}

function count(values: number, path: string, walk: Walk): void {
  walk.values += values;
  if (walk.values > MAX_VALUES) throw new TooManyValues(tooManyValues(path));
}

function cleanText(text: string, path: string, walk: Walk): string {
  if (text.includes('\0')) walk.errors[path] = ['The text must not contain NUL characters.'];
  else if (!text.isWellFormed()) walk.errors[path] = ['The text must be valid Unicode.'];
  return text.trim();
}
