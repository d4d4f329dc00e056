import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { ColumnPositions } from './column-positions.js';
import { delimiterOf, type Delimiter, directiveOf } from './delimiter.js';
import {
  decoderStream,
  type DetectedEncoding,
  detectEncoding,
  ENCODING_NAMES,
  firstText,
  REPLACEMENT_CHARACTER,
} from './encoding.js';
import { NotCsv } from './not-csv.js';
import { headerBelow, type LowerHeader } from './preamble.js';
import { RecordParser } from './record-parser.js';

/**
 * A record after the header. `row` counts the records that are not blank; the header is 1. `cells` are trimmed, in the
 * order of the columns; if the record is shorter than the header, the last cells are missing. `error` says why the
 * record cannot be used, `cellErrors` why single cells cannot, by their position.
 */
export interface CsvRecord {
  readonly row: number;
  readonly cells: readonly string[];
  readonly error?: string;
  readonly cellErrors?: ReadonlyMap<number, string>;
}

/** The format of a CSV file. */
interface Format extends DetectedEncoding {
  readonly delimiter: Delimiter;
  /** Whether the line before the header tells the delimiter to Excel: `sep=;`. */
  readonly hasDirective: boolean;
}

/** The bytes in which the delimiter is detected and a header below other text is looked for. The longest plausible one fits. */
const HEADER_BYTES = 65_536;

/** A thousand columns with names of 255 characters. */
const MAX_HEADER_LENGTH = 255_000;

/**
 * Bytes per read and records per batch. More per batch saves no time, and the records then survive the garbage
 * collector's young generation: with reads of 64 kB and batches of 2,000 the heap grew by 80 MB during an import.
 */
const READ_BYTES = 8_192;
const BATCH = 500;

/**
 * Opens a CSV (RFC 4180) and reads its header: UTF-8, UTF-16 with a byte order mark or Windows-1252;
 * comma, semicolon or tab; any line ending; quotes inside an unquoted cell are ordinary characters.
 * @throws NotCsv if the file is empty, binary, of another format, or its header cannot be read
 */
export async function openCsv(path: string): Promise<CsvFile> {
  const detected = await detectEncoding(path);
  const start = await firstText(path, detected.encoding, HEADER_BYTES);
  const directive = directiveOf(start);
  const format = { ...detected, delimiter: directive ?? delimiterOf(start), hasDirective: directive !== undefined };
  const { size } = await stat(path);
  let records = 0;
  for await (const record of recordsOf(createReadStream(path, { highWaterMark: READ_BYTES }), format)) {
    if (records++ === headerAt(format)) return new CsvFile(path, size, format, headerOf(record, format));
  }
  throw new NotCsv('The file is empty.');
}

/** A header is stored with the import, and repeated in the CSV of its refused rows. @throws NotCsv if it is too long */
function headerOf(record: readonly string[], format: Format): readonly string[] {
  const names = record.map(trimmed);
  if (cellErrorsOf(names, format))
    throw new NotCsv(`The header has bytes that are no text in ${ENCODING_NAMES[format.encoding]}.`);
  if (names.join('').length <= MAX_HEADER_LENGTH) return names;
  throw new NotCsv(`The header has more than ${MAX_HEADER_LENGTH.toLocaleString('en')} characters.`);
}

/** The position of the header among the records. */
const headerAt = ({ hasDirective }: Format): number => (hasDirective ? 1 : 0);

/**
 * A CSV file on disk whose header has been read. No file handle stays open; each call of `batches` reads the file
 * again.
 */
export class CsvFile {
  private source: ReadStream | undefined;
  private positions: ColumnPositions | undefined;

  constructor(
    private readonly path: string,
    private readonly size: number,
    private readonly format: Format,
    /** The trimmed names in the header, in order. `positionOf` does not find a column without a name. */
    readonly columns: readonly string[],
  ) {}

  /** The part of the file that the last call of `batches` has read, from 0 to 1. */
  get progress(): number {
    return this.size === 0 ? 1 : (this.source?.bytesRead ?? 0) / this.size;
  }

  get delimiter(): Delimiter {
    return this.format.delimiter;
  }

  /**
   * The position of a column's cells in each record: that of the column with exactly this name, else that of the column
   * with a name of the same letters in another case or with other spaces, hyphens and underscores. Undefined if there is none.
   * @throws NotCsv if there are two, because choosing one would silently lose the other
   */
  positionOf(column: string): number | undefined {
    this.positions ??= new ColumnPositions(this.columns);
    return this.positions.find(column);
  }

  /** The header, if it seems to be below other text. `isHeader` says whether a record has the wanted columns. */
  async headerBelow(isHeader: (columns: readonly string[]) => boolean): Promise<LowerHeader | undefined> {
    const start = await firstText(this.path, this.format.encoding, HEADER_BYTES);
    return headerBelow(start, this.columns.filter(Boolean), isHeader);
  }

  /**
   * Reads the records after the header lazily, in batches of at most 500. Skips blank ones.
   * @throws NotCsv if a quote is never closed, because the records after it cannot be separated
   */
  async *batches(): AsyncGenerator<CsvRecord[]> {
    let row = -headerAt(this.format);
    let batch: CsvRecord[] = [];
    this.source = createReadStream(this.path, { highWaterMark: READ_BYTES });
    for await (const cells of recordsOf(this.source, this.format)) {
      row += 1;
      if (row <= 1) continue;
      batch.push(recordIn(row, cells, this.columns.length, this.format));
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}

function recordsOf(source: ReadStream, { encoding, delimiter }: Format): AsyncIterable<string[]> {
  const parser = new RecordParser(delimiter);
  // Iterating over the parser throws its error. This callback only makes pipeline() close the source streams.
  const closed = (): void => undefined;
  if (encoding === 'utf-8') return pipeline(source, parser, closed);
  return pipeline(source, decoderStream(encoding), parser, closed);
}

function recordIn(row: number, found: readonly string[], width: number, format: Format): CsvRecord {
  const cells = found.map(trimmed);
  // Spreadsheets write trailing delimiters for empty columns after the last one.
  while (cells.length > width && cells.at(-1) === '') cells.pop();
  if (cells.length > width) return { row, cells, error: `The row has ${cells.length} cells, the header has ${width}.` };
  const cellErrors = cellErrorsOf(cells, format);
  return cellErrors ? { row, cells, cellErrors } : { row, cells };
}

/** The errors of cells whose bytes are not valid. */
function cellErrorsOf(cells: readonly string[], { encoding, isDamaged }: Format): CsvRecord['cellErrors'] {
  if (!isDamaged) return undefined;
  const broken = [...cells.entries()].filter(([, cell]) => cell.includes(REPLACEMENT_CHARACTER));
  if (broken.length === 0) return undefined;
  const error = `The cell has bytes that are no text in ${ENCODING_NAMES[encoding]}, the encoding of the file.`;
  return new Map(broken.map(([position]) => [position, error]));
}

function trimmed(cell: string): string {
  return cell.trim();
}
