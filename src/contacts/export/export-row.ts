import { EXPORT_FIELDS } from '../contact-fields.js';
import { fieldReader } from '../contact-variables.js';
import type { ContactRecord } from '../contact.view.js';
import { escapeFormula } from '../formula-escape.js';
import { CUSTOM_FIELD_PREFIX } from '../import/mapping.js';

/** The columns of the export after the fields. The import ignores them, as it ignores all fields that it cannot set. */
const GROUPS = ['tags', 'lists'];

const READERS = EXPORT_FIELDS.map(fieldReader);

/** The header of the export: fields, tags, lists, custom fields. */
export const headerOf = (keys: readonly string[]): string[] => [
  ...EXPORT_FIELDS,
  ...GROUPS,
  ...keys.map((key) => `${CUSTOM_FIELD_PREFIX}${key}`),
];

/** A contact's cells in the order of {@link headerOf}. Missing values are empty; names of tags and lists are joined. */
export const cellsOf = (contact: ContactRecord, keys: readonly string[]): string[] => [
  ...READERS.map((read) => cellOf(read(contact))),
  namesOf(contact.tags),
  namesOf(contact.lists),
  ...keys.map((key) => cellOf(contact.custom_fields[key])),
];

const cellOf = (value: string | number | boolean | null | undefined): string =>
  typeof value === 'string' ? escapeFormula(value) : String(value ?? '');

const namesOf = (groups: readonly { readonly name: string }[]): string =>
  escapeFormula(groups.map(({ name }) => name).join('; '));
