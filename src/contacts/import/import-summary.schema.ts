import { is } from '../../platform/http/index.js';

/** The response of an import (API v1, "Import"). */
export const IMPORT_SUMMARY = is.shape('ImportSummary', {
  /** How many rows the file has, without its header. It is the sum of the next four. */
  total: is.integer,
  /** How many rows have created a contact. */
  imported: is.integer,
  /** How many rows have changed a contact. */
  updated: is.integer,
  /** How many rows were left out, because the contact existed. */
  skipped: is.integer,
  /** How many rows were refused. The others are imported. */
  failed: is.integer,
  /** The first 100 errors. */
  errors: is.arrayOf(
    is.shape('ImportRowError', {
      /** The row in the file: 1 is the header. */
      row: is.integer,
      /** The field that was refused. */
      field: is.string,
      /** Why it was refused. */
      message: is.string,
    }),
  ),
});
