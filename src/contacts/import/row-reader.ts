import { unescapeFormula } from '../../platform/csv/index.js';
import { fieldRule, type FieldRule } from '../../platform/http/index.js';
import { CONTACT_FIELDS, type ImportField } from '../contact-fields.js';
import type { CustomFieldValue } from '../contact.entity.js';
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
import { copyRow } from './copy-text.js';
import type { CsvRecord } from './csv/csv-file.js';
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

/**
 * Converts CSV records to rows for COPY, with the validation rules of the create body. The columns of a row are the row
 * number, the mapped fields in the order of the mapping, and `custom_fields` if any is mapped. An empty cell is NULL.
 */
export class RowReader {
  private readonly fields: readonly FieldReader[];
  private readonly customFields: readonly (readonly [string, number])[];

  /**
   * @param columns the names of the file's columns
   * @param types the types of the mapped custom fields; those beyond the workspace's limit are missing
   */
  constructor(
    mapping: Mapping,
    private readonly columns: readonly string[],
    private readonly types: ReadonlyMap<string, CustomFieldType>,
  ) {
    this.fields = [...mapping.fields].map(([field, position]) => ({
      field,
      position,
      rule: fieldRule(CreateContactDto, field),
    }));
    this.customFields = [...mapping.customFields];
  }

  /** The row for COPY, or its first error. */
  read(record: CsvRecord): string | RowError {
    const { row, cells, error } = record;
    if (error !== undefined) return { row, field: 'row', ...NO_CELL, message: () => error };
    const values: (string | undefined)[] = [String(row)];
    for (const { field, position, rule } of this.fields) {
      const cell = unescapeFormula(cells[position] ?? '');
      if (cell === '' && field !== 'email') {
        values.push(undefined);
        continue;
      }
      const value = valueOf(field, cell);
      if (!rule.accepts(value))
        return { row, field, ...this.cellAt(position, cells), message: () => rule.messageFor(value) };
      values.push(String(value));
    }
    if (this.customFields.length === 0) return copyRow(values);
    const custom = this.readCustomFields(cells);
    return 'field' in custom ? { row, ...custom } : copyRow([...values, custom.json]);
  }

  private readCustomFields(cells: readonly string[]): { json: string | undefined } | Omit<RowError, 'row'> {
    const input: Record<string, CustomFieldValue> = {};
    for (const [key, position] of this.customFields) {
      const cell = unescapeFormula(cells[position] ?? '');
      if (cell === '') continue;
      const type = this.types.get(key);
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

function valueOf(field: ImportField, cell: string): unknown {
  if (field === 'email') return cell.toLowerCase();
  if (CONTACT_FIELDS[field].type === 'reference') return /^\d{1,16}$/.test(cell) ? Number(cell) : cell;
  return cell;
}
