import { timestamp } from '../../platform/http/index.js';
import type { ContactRecord } from '../contact.view.js';
import { escapeFormula } from '../formula-escape.js';
import { CUSTOM_FIELD_PREFIX, IMPORT_FIELDS } from '../import/mapping.js';

/** For people to read; the import passes over them, as a body cannot set them. */
const READ_ONLY = ['status', 'subscribed_at', 'unsubscribed_at', 'created_at', 'updated_at', 'tags', 'lists'];

/** The names of the columns: those that the import fills, those that it does not, the custom fields. */
export const headerOf = (keys: readonly string[]): string[] => [
  ...IMPORT_FIELDS,
  ...READ_ONLY,
  ...keys.map((key) => `${CUSTOM_FIELD_PREFIX}${key}`),
];

/** A contact's cells in the order of {@link headerOf}. What is absent is empty; names of tags and lists are joined. */
export const cellsOf = (contact: ContactRecord, keys: readonly string[]): string[] => [
  ...IMPORT_FIELDS.map((field) => cellOf(contact[field])),
  contact.status,
  timestamp(contact.subscribed_at) ?? '',
  timestamp(contact.unsubscribed_at) ?? '',
  timestamp(contact.created_at),
  timestamp(contact.updated_at),
  namesOf(contact.tags),
  namesOf(contact.lists),
  ...keys.map((key) => cellOf(contact.custom_fields[key])),
];

const cellOf = (value: string | number | boolean | null | undefined): string =>
  typeof value === 'string' ? escapeFormula(value) : String(value ?? '');

const namesOf = (groups: readonly { readonly name: string }[]): string =>
  escapeFormula(groups.map(({ name }) => name).join('; '));
