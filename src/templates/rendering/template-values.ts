/**
 * The values of a template's variables: a contact record as in the API, with `unsubscribe_url`, `sender_address`,
 * `sender: { name, email }` and `brand: { … }`. A key of the nested `custom_fields` is also found by its bare name, unless
 * the record has a field of that name. A dotted name is either a key of the record (`'sender.name'`) or a path into a
 * nested record.
 */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** The name of a variable, and its path: the `key` in the nested record `group`. */
export interface VariableName {
  readonly name: string;
  readonly group: string;
  readonly key: string;
}

/** The variable whose value has several lines, which are lines in HTML too. */
export const SENDER_ADDRESS = 'sender_address';

/** The variable that is an image in HTML, if there is one, and the name of the brand everywhere else. */
export const BRAND_LOGO = 'brand.logo';

const CUSTOM_FIELDS = 'custom_fields';

/** Returns the name of a variable, split at its dot. */
export function variableName(name: string): VariableName {
  const dot = name.indexOf('.');
  return dot < 0
    ? { name, group: CUSTOM_FIELDS, key: name }
    : { name, group: name.slice(0, dot), key: name.slice(dot + 1) };
}

/** Returns the variable's value as text; the empty string if it is unknown, null, an object or an array. */
export function findText(values: TemplateValues, { name, group, key }: VariableName): string {
  const direct = ownValue(values, name);
  // A group such as `brand` does not hide a custom field of that name.
  const isGroup = isRecord(direct) && !(direct instanceof Date);
  return textOf(direct === undefined || isGroup ? ownValue(ownValue(values, group), key) : direct);
}

// Own keys only, because `constructor` and `__proto__` are ordinary names of variables.
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
