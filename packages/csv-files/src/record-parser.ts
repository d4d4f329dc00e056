import type { TransformCallback } from 'node:stream';
import { CsvError, Parser } from 'csv-parse';
import type { Delimiter } from './delimiter.js';
import { NotCsv } from './not-csv.js';
import { PARSER_OPTIONS } from './parser-options.js';

/** The number of cells of a record. A row of ten million would occupy the process for long, and need 700 MB. */
const MAX_CELLS = 1_000;

/** A cell with text after its closing quote, which the parser keeps as it is written. */
interface RelaxedCell {
  readonly position: number;
  /** The length of the text inside the quotes. */
  readonly bytes: number;
}

/**
 * A stream that parses CSV to records. A record is an array of at most 1,000 cells; blank lines, and records whose cells
 * are all blank, are skipped. If the file cannot be parsed, or has a record of more cells, the stream fails with a NotCsv.
 */
export class RecordParser extends Parser {
  /** The state of csv-parse: the cells of the record that has not ended yet. */
  declare readonly state: {
    readonly record: readonly unknown[];
    readonly field: { readonly length: number; prepend: (quote: Buffer) => void };
  };
  private records = 0;
  private relaxed: RelaxedCell[] = [];
  private tooLongRow: number | undefined;

  constructor(delimiter: Delimiter) {
    super({ ...PARSER_OPTIONS, delimiter });
    const { field } = this.state;
    const prepend = field.prepend.bind(field);
    // csv-parse returns the opening quote to a cell only if its closing quote is followed by something.
    field.prepend = (quote) => {
      this.relaxed.push({ position: this.state.record.length, bytes: field.length });
      prepend(quote);
    };
  }

  /**
   * Resets the parser's count of records, so that it takes every record for the first. Otherwise csv-parse creates an
   * error with a stack trace for each record whose length differs from the first, although `relax_column_count` allows
   * it. That takes 26 µs per record, two minutes for a file of short lines.
   */
  override push(record: unknown): boolean {
    Object.assign(this.info, { records: 0 });
    if (!Array.isArray(record)) return super.push(record);
    for (const { position, bytes } of this.relaxed) record[position] = unquoted(record[position], bytes);
    this.relaxed = [];
    if (record.length > MAX_CELLS) this.tooLongRow ??= this.records + 1;
    // Spreadsheets write such records for rows that were once filled.
    if (record.every(isBlank)) return true;
    this.records += 1;
    return super.push(record);
  }

  /** Fails before the end of a record that has too many cells already. */
  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    super._transform(chunk, encoding, (error) => done(error ?? this.cellsError()));
  }

  private cellsError(): NotCsv | null {
    if (this.state.record.length > MAX_CELLS) this.tooLongRow ??= this.records + 1;
    if (this.tooLongRow === undefined) return null;
    return new NotCsv(
      `The file can have at most ${MAX_CELLS.toLocaleString('en')} columns; row ${this.tooLongRow} has more.`,
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    super._destroy(error instanceof CsvError ? this.asNotCsv(error) : error, done);
  }

  private asNotCsv(error: CsvError): NotCsv {
    const row = this.records + 1;
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED') return new NotCsv(error.message);
    return new NotCsv(`The file has a quote that is never closed, in row ${row}.`);
  }
}

/** The text inside the quotes, if nothing but spaces follows them: the option `rtrim` refuses the whole file for `"a" b`. */
function unquoted(cell: unknown, bytes: number): unknown {
  if (typeof cell !== 'string') return cell;
  const written = cell.trimEnd();
  return Buffer.byteLength(written) === bytes + 2 ? written.slice(1, -1) : cell;
}

const isBlank = (cell: unknown): boolean => typeof cell === 'string' && cell.trim() === '';
