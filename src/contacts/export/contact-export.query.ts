import { IsBoolean, IsOptional, IsString } from 'class-validator';
import type { FieldErrors } from '@outreach/http-errors';
import { unknownFields } from '@outreach/http-api/fields';
import { CheckedBy, type InputCheck } from '@outreach/http-api/validation';
import { BooleanQuery } from '../../platform/tenancy/index.js';
import { customFieldKeys } from '../custom-fields/custom-fields.queries.js';
import { ContactListQuery } from '../dto/contact-list.query.js';
import { exportableColumns } from './export-row.js';

/** Returns an error for each requested column that the workspace's contacts do not have. */
const columnErrors: InputCheck<{ readonly columns?: string }> = async ({ columns }, { context: { scope } }) => {
  const requested = requestedColumns(columns);
  if (requested.length === 0) return {};
  const known = new Set(exportableColumns(await customFieldKeys(scope)));
  const messages = unknownFields(requested, known);
  const errors: FieldErrors = messages.length > 0 ? { columns: messages } : {};
  return errors;
};

/** The filters of the list of contacts, and what the file contains. */
@CheckedBy(columnErrors)
export class ContactExportQuery extends ContactListQuery {
  /** Names of fields and `custom_fields.<key>`, separated by commas, in the order of the columns. By default all. */
  @IsOptional() @IsString() columns?: string;
  /** With 1 the file begins with a byte order mark, which tells Excel that it is UTF-8. */
  @BooleanQuery() @IsOptional() @IsBoolean() bom?: boolean;
}

/** The names in `columns`, each once. */
export const requestedColumns = (columns = ''): string[] => [
  ...new Set(
    columns
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];
