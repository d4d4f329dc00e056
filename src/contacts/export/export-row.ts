import { csvCell, escapeFormula } from '@outreach/csv-text';
import { CONTACT_FIELD_NAMES, EXPORT_FIELDS } from '../contact-fields.js';
import { fieldReader } from '../contact-variables.js';
import type { ContactRecord } from '../contact.view.js';
import { CUSTOM_FIELD_PREFIX } from '../import/mapping.js';

/** The import ignores these columns, as it ignores all fields that it cannot set. */
const GROUPS = ['tags', 'lists'] as const;

const customColumns = (keys: readonly string[]): string[] => keys.map((key) => `${CUSTOM_FIELD_PREFIX}${key}`);

/** The columns of an export that names none: fields, tags, lists, custom fields. */
export const defaultColumns = (keys: readonly string[]): string[] => [
  ...EXPORT_FIELDS,
  ...GROUPS,
  ...customColumns(keys),
];

export const exportableColumns = (keys: readonly string[]): string[] => [
  ...CONTACT_FIELD_NAMES,
  ...GROUPS,
  ...customColumns(keys),
];

type CellReader = (contact: ContactRecord) => string;

/** Returns the function that reads the cells of a column. Missing values are empty; names of tags and lists are joined. */
export function cellReader(column: string): CellReader {
  const field = CONTACT_FIELD_NAMES.find((name) => name === column);
  if (field) {
    const read = fieldReader(field);
    return (contact) => csvCell(read(contact));
  }
  const group = GROUPS.find((name) => name === column);
  if (group) return (contact) => namesOf(contact[group]);
  const key = column.slice(CUSTOM_FIELD_PREFIX.length);
  return ({ custom_fields: fields }) => csvCell(Object.hasOwn(fields, key) ? fields[key] : null);
}

const namesOf = (groups: readonly { readonly name: string }[]): string =>
  escapeFormula(groups.map(({ name }) => name).join('; '));
