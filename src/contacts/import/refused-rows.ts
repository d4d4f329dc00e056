import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { csvText, escapeFormula } from '@outreach/csv-text';
import type { CsvFile, CsvRecord } from '@outreach/csv-files';
import { MEGABYTE } from '@outreach/http-api/body';
import type { RowError } from './row-reader.js';

/** The columns after those of the file. */
const ERROR_COLUMNS = ['row', 'column', 'reason'];

/** Characters of a part, and cells that are formatted at a stretch. */
const PART_LENGTH = 131_072;
const MAX_CELLS = 5_000;

/**
 * Characters of all rows of an import. Each row has a cell for each column of the header, so a file of some megabytes with a
 * wide header and short rows could have some gigabytes.
 */
const MAX_LENGTH = 100 * MEGABYTE;

/** The fastest level: the rows of a file and their reasons are similar to each other. */
const COMPRESSION = { level: 1 };

/**
 * Collects the refused rows of an import as CSV: the cells of the file, the number of the row, the column and the reason.
 * They wait in memory for the end of COPY, which occupies the connection of the transaction, and are compressed: a file
 * of some megabytes may have millions of short rows. Those beyond a hundred megabytes are counted only.
 */
export class RefusedRows {
  /** The first line of the CSV. */
  readonly header: string;
  private total = 0;
  private readonly parts: Buffer[] = [];
  private texts: string[] = [];
  private textLength = 0;
  private rows: string[][] = [];
  private cells = 0;
  private omitted = 0;

  constructor(private readonly file: Pick<CsvFile, 'columns' | 'delimiter'>) {
    this.header = csvText([[...file.columns.map(escapeFormula), ...ERROR_COLUMNS]]);
  }

  /** Characters of all rows. */
  get length(): number {
    this.format();
    return this.total;
  }

  add({ row, cells }: CsvRecord, { column, field, message }: RowError): void {
    if (this.total >= MAX_LENGTH) {
      this.omitted += 1;
      return;
    }
    const shown = this.fitted(cells).map(escapeFormula);
    this.rows.push([...shown, String(row), escapeFormula(column ?? (field === 'row' ? '' : field)), message()]);
    this.cells += this.file.columns.length + ERROR_COLUMNS.length;
    if (this.cells >= MAX_CELLS) this.format();
  }

  /** The rows after the header, in parts that end with a complete row. If some are omitted, the last row says how many. */
  *contents(): Generator<string> {
    this.format();
    this.compress();
    for (const part of this.parts) yield inflateRawSync(part).toString();
    if (this.omitted === 0) return;
    const reason = `${this.omitted.toLocaleString('en')} more rows were refused, which are not in this file.`;
    yield csvText([[...this.fitted([]), '', '', reason]]);
  }

  /** As many cells as the file has columns. What a row has beyond them is part of the last one. */
  private fitted(cells: readonly string[]): readonly string[] {
    const width = this.file.columns.length;
    if (cells.length > width) return [...cells.slice(0, width - 1), cells.slice(width - 1).join(this.file.delimiter)];
    return [...cells, ...Array.from({ length: width - cells.length }, () => '')];
  }

  private format(): void {
    if (this.rows.length === 0) return;
    const text = csvText(this.rows);
    this.texts.push(text);
    this.textLength += text.length;
    this.total += text.length;
    this.rows = [];
    this.cells = 0;
    if (this.textLength >= PART_LENGTH) this.compress();
  }

  private compress(): void {
    if (this.texts.length === 0) return;
    this.parts.push(deflateRawSync(this.texts.join(''), COMPRESSION));
    this.texts = [];
    this.textLength = 0;
  }
}
