import { is, view } from '@outreach/http-api/responses';
import { IMPORT_STATUSES } from './import.entity.js';

const counts = {
  /** The rows of the file: the sum of the other four. It is 0 until the import has ended. */
  total: is.integer,
  /** How many rows have created a contact. */
  imported: is.integer,
  /** Rows that updated a contact. It is 0 with `skip_duplicates`. */
  updated: is.integer,
  /** Rows whose contact existed, or was in an earlier row. */
  skipped: is.integer,
  /** Rows with errors, which are not imported. */
  failed: is.integer,
};

const rowError = is.shape('ImportRowError', {
  /** The number of the record; the header is 1. */
  row: is.integer,
  /** The field of the contact; `row` if the row has more cells than the header. */
  field: is.string,
  /** The name of the column in the file; null if the error is not about a single cell. */
  column: is.nullable(is.string),
  /** The first 100 characters of the cell; null if the error is not about a single cell. */
  value: { ...is.nullable(is.string), maxLength: 100 },
  /** What is wrong, and what would be right. */
  message: is.string,
});

const errors = { ...is.arrayOf(rowError), maxItems: 100 };

/** The response of an import that the request waits for (API v1, "Import"). */
export const IMPORT_SUMMARY = is.shape('ImportSummary', {
  /** The ID of the import, for `GET /imports/{id}` and `GET /imports/{id}/refused`. */
  import_id: is.id,
  ...counts,
  /** The errors of the first 100 refused rows. `GET /imports/{id}/refused` has all. */
  errors,
});

/** An import as `GET /imports` shows it. */
export const importView = view('Import', {
  id: is.id,
  /** Whether the import waits, runs or has ended. */
  status: is.oneOf(IMPORT_STATUSES),
  /** The name of the file as the client sent it. */
  file_name: is.nullable(is.string),
  /** Whether nothing is stored. */
  dry_run: is.boolean,
  /** The part that is done. */
  progress: { ...is.number, minimum: 0, maximum: 1 },
  ...counts,
  /** The errors of the first 100 refused rows. `GET /imports/{id}/refused` has all. */
  errors,
  /** Why the import failed as a whole. */
  reason: is.nullable(is.string),
  created_at: is.timestamp,
  /** When a worker began it. */
  started_at: is.nullable(is.timestamp),
  /** When it ended: completed, failed or cancelled. */
  completed_at: is.nullable(is.timestamp),
});
