import type { FieldErrors } from '@outreach/http-errors';
import { unknownField } from '@outreach/http-api/fields';
import { CONTACT_FIELDS, IMPORT_FIELDS, type ImportField } from '../contact-fields.js';
import { isCustomFieldKey, KEY_RULE } from '../custom-fields/custom-field-values.js';
import { type CsvFile, foldedName, quotedName } from '@outreach/csv-files';
import { isOptOutColumn } from './enum-cells.js';

export const CUSTOM_FIELD_PREFIX = 'custom_fields.';

/** The position in a record of each field's cell. */
export interface Mapping {
  /** In the order of {@link IMPORT_FIELDS}, `email` first. */
  readonly fields: ReadonlyMap<ImportField, number>;
  /** By the key of the custom field. */
  readonly customFields: ReadonlyMap<string, number>;
}

/** A mapping, and its error messages by `mapping.<field>`. */
export interface ReadMapping {
  readonly mapping: Mapping;
  readonly errors: FieldErrors;
}

/**
 * Finds the column of each contact field (API v1, "Import").
 * @param wanted the column name of each field; without it, every column fills the field of the same name. Names match as
 *   `positionOf` of the file says.
 * @throws NotCsv if the header contains a requested column twice
 */
export function readMapping(file: CsvFile, wanted: Readonly<Record<string, unknown>> | undefined): ReadMapping {
  const fields = new Map<ImportField, number>();
  const customFields = new Map<string, number>();
  const errors: Record<string, string[]> = {};
  const problemOf = columnProblems(file);
  for (const [field, column] of wanted ? Object.entries(wanted) : columnsNamedLikeFields(file)) {
    const position = typeof column === 'string' ? file.positionOf(column.trim()) : undefined;
    const key = customFieldKey(field);
    if (!isImportField(field) && key === undefined) errors[`mapping.${field}`] = [notImportable(field)];
    else if (position === undefined) errors[`mapping.${field}`] = [problemOf(column)];
    else if (isImportField(field)) fields.set(field, position);
    else if (key !== undefined) customFields.set(key, position);
  }
  const optOuts = wanted ? [] : optOutColumns(file).slice(0, MAX_SHOWN_COLUMNS);
  if (optOuts.length > 1)
    errors['mapping.status'] = [
      `Several columns say who has opted out: ${optOuts.map(quotedName).join(', ')}. Send a mapping with one of them.`,
    ];
  if (!fields.has('email'))
    errors['mapping.email'] ??= [`A column with email addresses is required: name it. ${columnsOf(file)}`];
  return { mapping: { fields: inOrder(fields), customFields }, errors };
}

const notImportable = (field: string): string =>
  field.startsWith(CUSTOM_FIELD_PREFIX) ? KEY_RULE : unknownField(field, IMPORT_FIELDS);

/**
 * @returns a function that returns the message for a column which the file does not have. It names a column that differs only
 *   in accents and punctuation.
 */
function columnProblems(file: CsvFile): (column: unknown) => string {
  let byLetters: ReadonlyMap<string, string> | undefined;
  const columns = columnsOf(file);
  return (column) => {
    byLetters ??= columnsByLetters(file);
    const similar = typeof column === 'string' ? byLetters.get(lettersOf(column)) : undefined;
    const suggestion = similar === undefined ? '' : ` Did you mean ${quotedName(similar)}?`;
    return `The file has no such column.${suggestion} ${columns}`;
  };
}

/** The first of the columns with equal letters, by these letters. */
function columnsByLetters({ columns }: CsvFile): ReadonlyMap<string, string> {
  const byLetters = new Map(columns.map((name) => [lettersOf(name), name] as const).reverse());
  byLetters.delete('');
  return byLetters;
}

const MAX_COMPARED_LENGTH = 255;

const lettersOf = (name: string): string =>
  name
    .slice(0, MAX_COMPARED_LENGTH)
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** Long lists are cut: the text is part of an error message. */
const MAX_SHOWN_COLUMNS = 20;

/** A sentence with the names of the columns. */
function columnsOf({ columns }: CsvFile): string {
  const names = columns.filter((name) => name !== '');
  if (names.length === 0) return 'None of its columns has a name.';
  const shown = names.slice(0, MAX_SHOWN_COLUMNS).map(quotedName);
  const others = names.length - shown.length;
  return `Its columns are ${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
}

/** The columns that would fill the status: without a mapping, one that says who has opted out does so by itself. */
const optOutColumns = (file: CsvFile): string[] => [
  ...(file.positionOf('status') === undefined ? [] : ['status']),
  ...file.columns.filter(isOptOutColumn),
];

/**
 * The fields that have a column of their name, that of the status also a column of opt-outs, and the columns that name a
 * custom field.
 */
const columnsNamedLikeFields = (file: CsvFile): (readonly [string, string])[] => [
  ...IMPORT_FIELDS.filter((field) => field !== 'status' && isNameOf(field, file)).map(
    (field) => [field, field] as const,
  ),
  ...optOutColumns(file).map((name) => ['status', name] as const),
  ...file.columns.filter((name) => customFieldKey(name) !== undefined).map((name) => [name, name] as const),
];

/** The IDs of other systems are none of this one: such a column must have exactly the name of the field. */
const isNameOf = (field: ImportField, file: CsvFile): boolean =>
  CONTACT_FIELDS[field].type === 'reference' ? file.columns.includes(field) : file.positionOf(field) !== undefined;

/**
 * Returns a function that says whether a record of a file could be its header: it names all columns of the mapping, or
 * without a mapping that of the addresses.
 */
export function headerTest(wanted: Readonly<Record<string, unknown>> = { email: 'email' }) {
  const columns = Object.values(wanted).filter((column) => typeof column === 'string');
  const wantedNames = new Set(columns.map(foldedName));
  return (record: readonly string[]): boolean => {
    const names = new Set(record.map(foldedName));
    return wantedNames.size > 0 && [...wantedNames].every((name) => names.has(name));
  };
}

const inOrder = (fields: ReadonlyMap<ImportField, number>): ReadonlyMap<ImportField, number> =>
  new Map([...fields].sort(([one], [other]) => IMPORT_FIELDS.indexOf(one) - IMPORT_FIELDS.indexOf(other)));

const isImportField = (name: string): name is ImportField => IMPORT_FIELDS.some((field) => field === name);

function customFieldKey(name: string): string | undefined {
  if (!name.startsWith(CUSTOM_FIELD_PREFIX)) return undefined;
  const key = name.slice(CUSTOM_FIELD_PREFIX.length);
  return isCustomFieldKey(key) ? key : undefined;
}
