import { unknownField } from '@outreach/http-api/fields';
import {
  CONTACT_DATE_FIELDS,
  CONTACT_ENUM_FIELDS,
  CONTACT_TEXT_FIELDS,
  type ContactDateField,
  type ContactEnumField,
  contactField,
  type ContactTextField,
  type CustomFieldType,
} from '../../contacts/index.js';
import type { Operator } from './condition.js';

/** A field that conditions can use, with the data that its test needs. */
export type Field =
  | { readonly type: 'text'; readonly column: ContactTextField }
  | { readonly type: 'enum'; readonly column: ContactEnumField; readonly values: readonly string[] }
  | { readonly type: 'date'; readonly column: ContactDateField }
  | { readonly type: 'company' }
  | { readonly type: 'tag' }
  | { readonly type: 'list' }
  | { readonly type: 'custom text'; readonly key: string }
  | { readonly type: 'custom boolean'; readonly key: string }
  | { readonly type: 'custom number'; readonly id: number }
  | { readonly type: 'custom date'; readonly id: number };

/** Those custom fields of a workspace that conditions use, by key. */
export type CustomFieldsByKey = ReadonlyMap<string, { readonly id: number; readonly type: CustomFieldType }>;

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ...CONTACT_TEXT_FIELDS.map((column): [string, Field] => [column, { type: 'text', column }]),
  ...CONTACT_DATE_FIELDS.map((column): [string, Field] => [column, { type: 'date', column }]),
  ...CONTACT_ENUM_FIELDS.map((column): [string, Field] => [
    column,
    { type: 'enum', column, values: contactField(column).values ?? [] },
  ]),
  ['company_id', { type: 'company' }],
  ['tag_id', { type: 'tag' }],
  ['list_id', { type: 'list' }],
]);

const CUSTOM = 'custom_fields.';

/** Returns the key of the custom field `custom_fields.<key>`; undefined for other fields. */
export const customKeyOf = (name: string): string | undefined =>
  name.startsWith(CUSTOM) ? name.slice(CUSTOM.length) : undefined;

/** Returns the field with this name; undefined if it does not exist. */
export function findField(name: string, customFields: CustomFieldsByKey): Field | undefined {
  const key = customKeyOf(name);
  if (key === undefined) return FIELDS.get(name);
  const defined = customFields.get(key);
  if (!defined) return undefined;
  switch (defined.type) {
    case 'text':
      return { type: 'custom text', key };
    case 'boolean':
      return { type: 'custom boolean', key };
    case 'number':
      return { type: 'custom number', id: defined.id };
    case 'date':
      return { type: 'custom date', id: defined.id };
    default:
      return defined.type satisfies never;
  }
}

/** Long lists are cut: the text is part of an error message. */
const MAX_SHOWN_KEYS = 20;

/** Returns the message for a field that does not exist, with the most similar name and all possible ones. */
export function unknownFieldMessage(name: string, customKeys: readonly string[]): string {
  if (customKeyOf(name) === undefined) {
    return `${unknownField(name, FIELDS.keys())} The fields are ${[...FIELDS.keys()].join(', ')} and ${CUSTOM}<key>.`;
  }
  const known = customKeys.map((key) => CUSTOM + key);
  const shown = known.slice(0, MAX_SHOWN_KEYS).join(', ');
  return `${unknownField(name, known)} ${shown ? `Custom fields are ${shown}.` : 'The workspace has no custom fields.'}`;
}

const ANY: readonly Operator[] = ['equals', 'not_equals', 'is_empty', 'is_not_empty'];
const OF_TEXT: readonly Operator[] = [...ANY, 'contains', 'not_contains', 'starts_with', 'ends_with'];
const OF_ORDER: readonly Operator[] = [...ANY, 'greater_than', 'less_than'];

/** Returns the operators that can be used with a field. */
export function operatorsOf({ type }: Field): readonly Operator[] {
  switch (type) {
    case 'text':
    case 'custom text':
      return OF_TEXT;
    case 'date':
    case 'custom date':
    case 'custom number':
      return OF_ORDER;
    case 'enum':
    case 'company':
    case 'tag':
    case 'list':
    case 'custom boolean':
      return ANY;
    default:
      return type satisfies never;
  }
}
