import { escapeHtml } from './escaping.js';

/** The name of a variable. One with a dot is a path: the `key` in the nested record `group`. */
export interface VariableName {
  readonly name: string;
  readonly group: string | undefined;
  readonly key: string;
}

/** Where a template finds the values of its variables. */
export interface ValueReader {
  /** Returns the value of a variable as text; the empty string if it has none. */
  text(variable: VariableName): string;
  /** Returns the HTML of a text that stands for a variable: its value, or its default. */
  html(text: string, variable: VariableName): string;
}

/** Returns the HTML of a text that stands for a variable. The other values are at hand. */
export type HtmlFormat = (text: string, values: ValueReader) => string;

/** How {@link valuesOf} reads a record. */
export interface RecordOptions {
  /** A nested record in which a name without a dot is looked for, too. */
  readonly defaultGroup?: string;
  /** The HTML of variables whose text is not just escaped, by their names. */
  readonly formats?: ReadonlyMap<string, HtmlFormat>;
}

/** Returns the name of a variable, split at its dot. */
export function variableName(name: string): VariableName {
  const dot = name.indexOf('.');
  return dot < 0
    ? { name, group: undefined, key: name }
    : { name, group: name.slice(0, dot), key: name.slice(dot + 1) };
}

/**
 * Reads values from a record. A dotted name is either a key of it (`'sender.name'`) or a path into a nested record. A value that
 * is null, an object or an array is the empty string; a date is that of ISO 8601.
 */
export function valuesOf(
  record: Readonly<Record<string, unknown>>,
  { defaultGroup, formats }: RecordOptions = {},
): ValueReader {
  const values: ValueReader = {
    text({ name, group = defaultGroup, key }) {
      const direct = ownValue(record, name);
      // A nested record does not hide a value of its name in the default group.
      const isGroup = isRecord(direct) && !(direct instanceof Date);
      return textOf(direct === undefined || isGroup ? ownValue(ownValue(record, group), key) : direct);
    },
    html: (text, { name }) => formats?.get(name)?.(text, values) ?? escapeHtml(text),
  };
  return values;
}

// Own keys only, because `constructor` and `__proto__` are ordinary names of variables.
function ownValue(record: unknown, key: string | undefined): unknown {
  return key !== undefined && isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return '';
}
