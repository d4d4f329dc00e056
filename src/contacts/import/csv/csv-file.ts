import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import iconv from 'iconv-lite';
import { delimiterOf, type Delimiter } from './delimiter.js';
import { detectEncoding, firstText, type Encoding } from './encoding.js';
import { NotCsv } from './not-csv.js';
import { RecordParser } from './record-parser.js';

/**
 * A record after the header. `row` counts the records that are not blank, the header being 1. `cells` are trimmed and
 * stand in the order of the columns; where a record is shorter than the header, its last cells are not there.
 * A `fault`, in words, says why the record has no meaning.
 */
export type CsvRecord =
  { readonly row: number; readonly cells: readonly string[] } | { readonly row: number; readonly error: string };

/** How a file is written. */
interface Format {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
}

/** What decides the delimiter: room for the longest sensible header. */
const HEADER_BYTES = 65_536;

/**
 * What is read and handed over at once: enough that waiting costs nothing, and few enough records that they die young.
 * With reads of 64 kB and batches of 2,000 the heap grew by 80 MB during an import.
 */
const READ_BYTES = 8_192;
const BATCH = 500;

/**
 * Opens an uploaded CSV (RFC 4180) and reads its header: UTF-8, UTF-16 with a byte order mark or Windows-1252;
 * comma, semicolon or tab; any line ending; quotes inside an unquoted cell are ordinary characters (API v1, "Import").
 * @throws NotCsv where the file is empty, binary, in no known encoding, or its header cannot be read.
 */
export async function openCsv(path: string): Promise<CsvFile> {
  const encoding = await detectEncoding(path);
  const delimiter = delimiterOf(await firstText(path, encoding, HEADER_BYTES));
  const format = { encoding, delimiter };
  for await (const header of recordsOf(path, format)) {
    return new CsvFile(path, format, header.map(trimmed));
  }
  throw new NotCsv('The file is empty.');
}

/** A CSV on disk whose header is known. It holds nothing open: every call of `batches` reads the file anew. */
export class CsvFile {
  constructor(
    private readonly path: string,
    private readonly format: Format,
    /** The names in the header, trimmed, in order. A column without a name is never asked for. */
    readonly columns: readonly string[],
  ) {}

  /**
   * Where a column's cells stand in each record, or undefined where the header does not name it.
   * @throws NotCsv where it names it twice: to choose one would lose the other without a word.
   */
  positionOf(column: string): number | undefined {
    const position = this.columns.indexOf(column);
    if (column === '' || position === -1) return undefined;
    if (this.columns.includes(column, position + 1)) throw new NotCsv(`The file has two columns "${column}".`);
    return position;
  }

  /**
   * The records after the header in batches of up to 500, read as they are asked for; blank lines are left out.
   * @throws NotCsv where a quote is never closed: what follows it cannot be told apart.
   */
  async *batches(): AsyncGenerator<CsvRecord[]> {
    let row = 0;
    let batch: CsvRecord[] = [];
    for await (const cells of recordsOf(this.path, this.format)) {
      row += 1;
      if (row === 1) continue;
      batch.push(recordIn(row, cells, this.columns.length));
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}

function recordsOf(path: string, { encoding, delimiter }: Format): AsyncIterable<string[]> {
  const source = createReadStream(path, { highWaterMark: READ_BYTES });
  const parser = new RecordParser(delimiter);
  // Whoever iterates over the parser hears of an error; here it only has to close the streams before it.
  const closed = (): void => undefined;
  if (encoding === 'utf-8') return pipeline(source, parser, closed);
  return pipeline(source, iconv.decodeStream(encoding), parser, closed);
}

function recordIn(row: number, found: readonly string[], width: number): CsvRecord {
  const cells = found.map(trimmed);
  // Spreadsheets end records with delimiters of columns that are not there.
  while (cells.length > width && cells.at(-1) === '') cells.pop();
  if (cells.length > width) return { row, error: `The row has ${cells.length} cells, the header has ${width}.` };
  return { row, cells };
}

function trimmed(cell: string): string {
  return cell.trim();
}
