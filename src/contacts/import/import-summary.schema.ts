import { is } from '../../platform/http/index.js';

/** The response of an import (API v1, "Import"). */
export const IMPORT_SUMMARY = is.shape('ImportSummary', {
  total: is.integer,
  imported: is.integer,
  updated: is.integer,
  skipped: is.integer,
  failed: is.integer,
  errors: is.arrayOf(is.shape('ImportRowError', { row: is.integer, field: is.string, message: is.string })),
});
