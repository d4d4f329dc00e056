import { DateTime } from 'luxon';
import { type FieldErrors, ValidationFailed } from '@outreach/http-errors';
import type { CustomFieldValue } from '../contact.entity.js';
import type { CustomFieldType } from './custom-field.entity.js';

/** Limit of custom fields in one workspace. */
export const MAX_FIELDS = 500;
/** Limit of custom fields on one contact. */
export const MAX_KEYS = 100;
/** Limit of the length of a text, in Unicode code points. */
export const MAX_CUSTOM_TEXT_LENGTH = 5000;
const KEY = /^[A-Za-z0-9_-]{1,64}$/;
const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export interface CustomFieldPatch {
  readonly values: ReadonlyMap<string, CustomFieldValue>;
  /** Keys whose value was null. */
  readonly removed: readonly string[];
  readonly errors: FieldErrors;
}

export const isCustomFieldKey = (text: string): boolean => KEY.test(text) && !REFUSED_KEYS.has(text);

/** Reads a map of custom fields and checks what does not depend on the workspace's custom fields. */
export function readCustomFields(input: Readonly<Record<string, unknown>>): CustomFieldPatch {
  const values = new Map<string, CustomFieldValue>();
  const removed: string[] = [];
  const errors: [string, string[]][] = [];
  for (const [key, value] of Object.entries(input)) {
    if (!isCustomFieldKey(key)) errors.push([`custom_fields.${key}`, [KEY_RULE]]);
    else if (value === null) removed.push(key);
    else if (isCustomFieldValue(value)) values.set(key, value);
    else errors.push([`custom_fields.${key}`, [CUSTOM_VALUE_RULE]]);
  }
  if (values.size > MAX_KEYS) errors.push(['custom_fields', [COUNT_RULE]]);
  return { values, removed, errors: Object.fromEntries(errors) };
}

/** @throws ValidationFailed if a contact has too many custom fields */
export function assertKeyCount(keys: number): void {
  if (keys > MAX_KEYS) throw new ValidationFailed({ custom_fields: [COUNT_RULE] });
}

export function typeOfValue(value: CustomFieldValue): CustomFieldType {
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return isDateText(value) ? 'date' : 'text';
  }
}

/** Whether the value fits a field of this type. A field of the type `text` takes strings that look like dates too. */
export const fitsType = (value: CustomFieldValue, type: CustomFieldType): boolean =>
  type === 'text' ? typeof value === 'string' : typeOfValue(value) === type;

/** The error message for a value that does not fit the type. The type is undefined if the limit prevents a new field. */
export function customValueError(value: CustomFieldValue, type: CustomFieldType | undefined): string | undefined {
  if (!type) return TOO_MANY_FIELDS;
  return fitsType(value, type) ? undefined : `The value must be of the type ${type}: ${FORMS[type]}.`;
}

/** What a value of each type looks like. */
const FORMS: Readonly<Record<CustomFieldType, string>> = {
  text: 'a string',
  number: 'such as 12.5, with a point and without spaces',
  boolean: 'true or false',
  date: 'such as 2026-11-21 or 2026-11-21T08:30:00Z',
};

export const TOO_MANY_FIELDS = `A workspace has at most ${MAX_FIELDS} custom fields.`;
export const KEY_RULE = 'The key must be 1 to 64 letters, digits, underscores or hyphens, and not a reserved word.';
/** The error message for a value that {@link isCustomFieldValue} refuses. */
export const CUSTOM_VALUE_RULE =
  `The value must be a text of at most ${MAX_CUSTOM_TEXT_LENGTH} characters, a number, a boolean ` + 'or null.';
export const COUNT_RULE = `A contact has at most ${MAX_KEYS} custom fields.`;

/** Whether a value can be the value of a custom field. */
export function isCustomFieldValue(value: unknown): value is CustomFieldValue {
  if (typeof value === 'string')
    return value.length <= MAX_CUSTOM_TEXT_LENGTH || [...value].length <= MAX_CUSTOM_TEXT_LENGTH;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

/** Narrower than ISO 8601, so that PostgreSQL can read every match as a date or timestamptz. */
const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
const INSTANT =
  /^(?!0000)\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;

/** Whether a string is a date for a custom field: `YYYY-MM-DD`, or an instant with an offset (ISO 8601). */
export const isDateText = (text: string): boolean =>
  (DATE.test(text) || INSTANT.test(text)) && DateTime.fromISO(text).isValid;
