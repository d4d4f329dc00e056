import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from './formula-escape.js';

/** At the start of a file in UTF-8, it tells Excel the encoding. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Cells that some reader would split: at a semicolon or a tab, if the locale of a spreadsheet has another separator than
 * the comma, and at a lone carriage return, which many readers, ours too, take for the end of a record.
 */
const OTHER_SEPARATORS = /[;\t\r]/;

/** Returns records as CSV (RFC 4180): commas, and quotes around each cell that a reader could split. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { quoted_match: OTHER_SEPARATORS },
  );

/** Returns the cell of a value: a text is no formula, and a missing value is empty. */
export function csvCell(value: unknown): string {
  if (typeof value === 'string') return escapeFormula(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
