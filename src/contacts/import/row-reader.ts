import { unescapeFormula } from '@outreach/csv-text';
import { normalizeEmail } from '@outreach/email-addresses';
import { type FieldRule, fieldRule } from '@outreach/http-api/fields';
import { CONTACT_FIELDS, type ImportField } from '../contact-fields.js';
import type { ContactStatus, CustomFieldValue } from '../contact.entity.js';
import type { CustomFieldType } from '../custom-fields/custom-field.entity.js';
import { CONTACT_SIZE_RULE, isContactTooLarge } from '../contact-size.js';
import {
  CUSTOM_VALUE_RULE,
  customValueError,
  isCustomFieldValue,
  readCustomFields,
} from '../custom-fields/custom-field-values.js';
import { valueOfText } from '../custom-fields/value-of-text.js';
import { CreateContactDto } from '../dto/create-contact.dto.js';
import { FUTURE_RULE, instantOf, STATUS_REQUIRED } from '../status-input.js';
import { copyRow } from './copy-text.js';
import { type CsvRecord, quotedName } from '@outreach/csv-files';
import { enumValueOf } from './enum-cells.js';
import { isOfStatus, STATUS_COLUMNS } from './import-tables.queries.js';
import { CUSTOM_FIELD_PREFIX, type Mapping } from './mapping.js';

/** Why a row is not imported. `row` counts records; the header is 1. */
export interface RowError {
  readonly row: number;
  /** `row` if the error is not about a single field. */
  readonly field: string;
  /** The name of the field's column in the file, and its cell; null if the error is not about a single cell. */
  readonly column: string | null;
  readonly value: string | null;
  /** Called only for reported errors, because a file may have millions. */
  readonly message: () => string;
}

interface FieldReader {
  readonly field: ImportField;
  readonly position: number;
  readonly rule: FieldRule;
}

type CellError = Omit<RowError, 'row'>;

/** The columns of the status that the file has. */
interface StatusReader {
  readonly status: FieldReader | undefined;
  readonly date: FieldReader | undefined;
}

interface StatusCells {
  readonly status: string | undefined;
  readonly unsubscribed_at: string | undefined;
}

/** What a row needs beside its cells. */
export interface RowContext {
  /** The types of the mapped custom fields; those beyond the workspace's limit are missing. */
  readonly types: ReadonlyMap<string, CustomFieldType>;
  /** The status of rows that have none. */
  readonly status?: ContactStatus | undefined;
  /** The time of the workspace. */
  readonly now: Date;
}

/**
 * Converts CSV records to rows for COPY, with the validation rules of the create body. The columns of a row are the row
 * number, the mapped fields in the order of the mapping, those of the status, and `custom_fields` if any is mapped. An empty
 * cell is NULL.
 */
export class RowReader {
  /** Each field with the position of its cell. */
  private readonly mapped: readonly (readonly [field: string, position: number])[];
  private readonly fields: readonly FieldReader[];
  private readonly customFields: readonly (readonly [string, number])[];
  private readonly status: StatusReader | undefined;

  /**
   * @param columns the names of the file's columns
   */
  constructor(
    mapping: Mapping,
    private readonly columns: readonly string[],
    private readonly context: RowContext,
  ) {
    const fields = [...mapping.fields].map(([field, position]) => ({
      field,
      position,
      rule: fieldRule(CreateContactDto, field),
    }));
    this.fields = fields.filter(({ field }) => !isOfStatus(field));
    this.customFields = [...mapping.customFields];
    const custom = this.customFields.map(([key, position]) => [`${CUSTOM_FIELD_PREFIX}${key}`, position] as const);
    this.mapped = [...mapping.fields, ...custom];
    const [status, date] = STATUS_COLUMNS.map((name) => fields.find(({ field }) => field === name));
    if (status || date || context.status) this.status = { status, date };
  }

  /** The row for COPY, or its first error. */
  read(record: CsvRecord): string | RowError {
    const { row, cells, error, cellErrors } = record;
    if (error !== undefined) return { row, field: 'row', ...NO_CELL, message: () => error };
    const broken = cellErrors && this.brokenCell(cells, cellErrors);
    if (broken) return { row, ...broken };
    const values: (string | undefined)[] = [String(row)];
    for (const reader of this.fields) {
      const value = this.readCell(reader, cells);
      if (typeof value === 'object') return { row, ...value };
      values.push(value);
    }
    if (this.status) {
      const read = this.readStatus(this.status, cells);
      if ('field' in read) return { row, ...read };
      values.push(read.status, read.unsubscribed_at);
    }
    if (this.customFields.length === 0) return copyRow(values);
    const custom = this.readCustomFields(cells);
    return 'field' in custom ? { row, ...custom } : copyRow([...values, custom.json]);
  }

  /** The error of the first field whose cell cannot be used. */
  private brokenCell(cells: readonly string[], errors: ReadonlyMap<number, string>): CellError | undefined {
    const found = this.mapped.find(([, position]) => errors.has(position));
    if (!found) return undefined;
    const [field, position] = found;
    return { field, ...this.cellAt(position, cells), message: () => errors.get(position) ?? '' };
  }

  /** The value of a field; undefined if the cell is empty. */
  private readCell({ field, position, rule }: FieldReader, cells: readonly string[]): string | undefined | CellError {
    const cell = unescapeFormula(cells[position] ?? '');
    if (cell === '' && field !== 'email') return undefined;
    const column = this.columns[position] ?? '';
    const value = valueOf(field, cell, column);
    if (value === '' && isEnum(field)) return undefined;
    if (rule.accepts(value)) return String(value);
    const wayOut = isEnum(field)
      ? `. To leave the column ${quotedName(column)} out, send a mapping without ${field}`
      : '';
    return { field, ...this.cellAt(position, cells), message: () => rule.messageFor(value) + wayOut };
  }

  /** The status and its date, which must be past and comes with a status that has one. */
  private readStatus(readers: StatusReader, cells: readonly string[]): StatusCells | CellError {
    const status = readers.status ? this.readCell(readers.status, cells) : undefined;
    if (typeof status === 'object') return status;
    const read = status ?? this.context.status;
    const date = readers.date && this.readCell(readers.date, cells);
    if (!readers.date || date === undefined) return { status: read, unsubscribed_at: undefined };
    if (typeof date === 'object') return date;
    const instant = instantOf(date);
    const isOut = read !== undefined && read !== 'active';
    const message = instant > this.context.now ? FUTURE_RULE : isOut ? undefined : STATUS_REQUIRED;
    return message === undefined
      ? { status: read, unsubscribed_at: instant.toISOString() }
      : { field: 'unsubscribed_at', ...this.cellAt(readers.date.position, cells), message: () => message };
  }

  private readCustomFields(cells: readonly string[]): { json: string | undefined } | CellError {
    const input: Record<string, CustomFieldValue> = {};
    for (const [key, position] of this.customFields) {
      const cell = unescapeFormula(cells[position] ?? '');
      if (cell === '') continue;
      const type = this.context.types.get(key);
      const value = valueOfText(cell, type ?? 'text');
      input[key] = value;
      const message = customValueError(value, type) ?? (isCustomFieldValue(value) ? undefined : CUSTOM_VALUE_RULE);
      if (message !== undefined)
        return { field: `${CUSTOM_FIELD_PREFIX}${key}`, ...this.cellAt(position, cells), message: () => message };
    }
    const [error] = Object.entries(readCustomFields(input).errors);
    if (error) return { field: error[0], ...NO_CELL, message: () => error[1].join(' ') };
    if (isContactTooLarge({ custom_fields: input }))
      return { field: 'custom_fields', ...NO_CELL, message: () => CONTACT_SIZE_RULE };
    return { json: Object.keys(input).length === 0 ? undefined : JSON.stringify(input) };
  }

  private cellAt(position: number, cells: readonly string[]): Pick<RowError, 'column' | 'value'> {
    return { column: this.columns[position] ?? null, value: cells[position] ?? '' };
  }
}

/** Of an error that is not about a single cell. */
export const NO_CELL = { column: null, value: null };

const isEnum = (field: ImportField): boolean => CONTACT_FIELDS[field].type === 'enum';

function valueOf(field: ImportField, cell: string, column: string): unknown {
  if (field === 'email') return normalizeEmail(cell);
  if (isEnum(field)) return enumValueOf(field, cell, column);
  if (field === 'unsubscribed_at') return cell.replace(LOCAL_TIME, '$1T$2Z');
  if (CONTACT_FIELDS[field].type === 'reference') return /^\d{1,16}$/.test(cell) ? Number(cell) : cell;
  return cell;
}

/** As most services export times: without a zone, which is read as UTC. */
const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/;
