/**
 * What fills a template's variables: a contact record as the API shows it, with `unsubscribe_url` and
 * `sender: { name, email }` beside it. Keys of a nested `custom_fields` also answer to their bare name, after the
 * fields of the record itself. A dotted name may be a key as it stands (`'sender.name'`) or lead into a nested record.
 */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** A variable's name, and where a dotted one (`sender.name`) leads: into the record `group`, to its `key`. */
export interface VariableName {
  readonly name: string;
  readonly group: string;
  readonly key: string;
}

const CUSTOM_FIELDS = 'custom_fields';

export function variableName(name: string): VariableName {
  const dot = name.indexOf('.');
  return dot < 0
    ? { name, group: CUSTOM_FIELDS, key: name }
    : { name, group: name.slice(0, dot), key: name.slice(dot + 1) };
}

/** The variable's value as text; what is unknown, null or no single value (a record, an array) is the empty string. */
export function findText(values: TemplateValues, { name, group, key }: VariableName): string {
  const direct = ownValue(values, name);
  return textOf(direct === undefined ? ownValue(ownValue(values, group), key) : direct);
}

// Own keys only: `constructor` and `__proto__` are ordinary names that nobody has set.
function ownValue(record: unknown, key: string): unknown {
  return isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined;
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
