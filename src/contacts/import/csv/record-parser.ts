import { CsvError, Parser } from 'csv-parse';
import type { Delimiter } from './delimiter.js';
import { NotCsv } from './not-csv.js';

/**
 * A stream that parses CSV to records. A record is an array of any number of cells; blank lines are skipped. If the
 * file cannot be parsed, the stream fails with a NotCsv.
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
   * Resets the parser's count of records, so that it takes every record for the first. Otherwise csv-parse creates an
   * error with a stack trace for each record whose length differs from the first, although `relax_column_count` allows
   * it. That takes 26 µs per record, two minutes for a file of short lines.
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
