import { CsvError, Parser } from 'csv-parse';
import type { Delimiter } from './delimiter.js';
import { NotCsv } from './not-csv.js';

/**
 * Bytes of CSV in, records out. A record is an array of cells, of any number; a blank line is none.
 * What makes the file unreadable is a NotCsv.
 */
export class RecordParser extends Parser {
  private records = 0;

  constructor(delimiter: Delimiter) {
    super({
      delimiter,
      bom: true,
      ltrim: true, // a quote may follow a space
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  }

  /**
   * For a record that is not as long as the first one csv-parse builds an error with its stack, even where that is
   * allowed: 26 µs each, two minutes for a file of short lines. So to its eyes every record is the first.
   */
  override push(record: unknown): boolean {
    this.records += 1;
    Object.assign(this.info, { records: 0 });
    return super.push(record);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    super._destroy(error instanceof CsvError ? this.asNotCsv(error) : error, done);
  }

  private asNotCsv(error: CsvError): NotCsv {
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED') return new NotCsv(error.message);
    return new NotCsv(`The file has a quote that is never closed, in row ${this.records + 1}.`);
  }
}
