import type { RowError } from './row-reader.js';

const MAX_ERRORS = 100;
const MAX_VALUE_LENGTH = 100;
const MAX_COLUMN_LENGTH = 255;

/** An error of a row as the response shows it. */
export interface ReportedError {
  readonly row: number;
  readonly field: string;
  /** The name of the column in the file; null if the error is not about a single cell. */
  readonly column: string | null;
  /** The first hundred characters of the cell. */
  readonly value: string | null;
  readonly message: string;
}

/**
 * The result of an import in rows. `total` is the sum of the other four; `errors` are those of the first failed rows.
 */
export interface ImportSummary {
  readonly total: number;
  readonly imported: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
  readonly errors: readonly ReportedError[];
}

/** Counts the rows of one import. */
export class ImportTally {
  private total = 0;
  /** The number of failed rows until now. */
  failed = 0;
  private first: readonly RowError[] = [];

  addRows(rows: number): void {
    this.total += rows;
  }

  /** @param rows the number of failed rows, if `errors` are only the first of them */
  addErrors(errors: readonly RowError[], rows = errors.length): void {
    this.failed += rows;
    const isFull = this.first.length === MAX_ERRORS;
    if (isFull && (errors[0]?.row ?? Infinity) > (this.first.at(-1)?.row ?? 0)) return;
    this.first = [...this.first, ...errors].sort((one, other) => one.row - other.row).slice(0, MAX_ERRORS);
  }

  /** @param imported the number of created contacts. All other valid rows count as `others`. */
  summary(imported: number, others: 'updated' | 'skipped'): ImportSummary {
    const { total, failed } = this;
    const errors = this.first.map(({ row, field, column, value, message }) => ({
      row,
      field,
      column: cut(column, MAX_COLUMN_LENGTH),
      value: cut(value, MAX_VALUE_LENGTH),
      message: message(),
    }));
    return { total, imported, updated: 0, skipped: 0, [others]: total - failed - imported, failed, errors };
  }
}

/** Characters are Unicode code points; each has at most two units. */
const cut = (text: string | null, length: number): string | null =>
  text === null ? null : [...text.slice(0, 2 * length)].slice(0, length).join('').toWellFormed();
