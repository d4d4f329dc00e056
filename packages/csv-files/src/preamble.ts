import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { type Delimiter, DELIMITERS } from './delimiter.js';
import { PARSER_OPTIONS } from './parser-options.js';

/** A record that seems to be the header although other text is above it. */
export interface LowerHeader {
  /** Its line in the file, from 1. */
  readonly line: number;
  readonly columns: readonly string[];
}

/** Records that are examined. */
const MAX_RECORDS = 30;

/** The cells that a header has if only its form shows what it is. */
const MIN_COLUMNS = 3;
const MAX_NAME_LENGTH = 100;

/** What no name of a column is: an address, a number or a date, and what another delimiter would split. */
const NO_NAME = /[@"\r\n,;\t]|^[\d\s.:/+-]+$/;

const LINE_BREAK = /\r\n|\r|\n/;
const CONTENT = /[^\s,;"]/;

/** A record, and the offset of its end. */
interface ParsedRecord {
  readonly cells: readonly string[];
  readonly end: number;
}

/**
 * Finds the header of a file that begins with other text, as the contacts that LinkedIn exports do.
 * @param text the beginning of the file
 * @param first the filled cells of the first record
 * @param isHeader whether a record has the wanted columns. If none has, the header is the first record of names only, of
 *   which there are at least twice as many as cells in each record above it.
 */
export function headerBelow(
  text: string,
  first: readonly string[],
  isHeader: (columns: readonly string[]) => boolean,
): LowerHeader | undefined {
  const bytes = Buffer.from(text);
  const readings = DELIMITERS.map((delimiter) => recordsOf(bytes, delimiter));
  const byNames = readings.map((records) => records.findIndex(({ cells }, at) => at > 0 && isHeader(cells)));
  const byForm = readings.map((records) => positionByForm(records, first.length));
  for (const [index, at] of [...byNames.entries(), ...byForm.entries()]) {
    const [before, header] = readings[index]?.slice(Math.max(at - 1, 0)) ?? [];
    if (at > 0 && before && header)
      return { line: lineAfter(bytes, before.end), columns: header.cells.filter((cell) => cell !== '') };
  }
  return undefined;
}

/** The first records. If the text ends within a quoted cell, or is no CSV with this delimiter, those before. */
function recordsOf(bytes: Buffer, delimiter: Delimiter): ParsedRecord[] {
  const records: ParsedRecord[] = [];
  const collect = (record: string[], { bytes: end }: { bytes: number }): null => {
    records.push({ cells: record.map((cell) => cell.trim()), end });
    return null;
  };
  const limits = { to: MAX_RECORDS, skip_records_with_empty_values: true };
  try {
    parse(bytes, { ...PARSER_OPTIONS, ...limits, delimiter, on_record: collect });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return records;
}

function positionByForm(records: readonly ParsedRecord[], first: number): number {
  let widest = first;
  return records.findIndex(({ cells }) => {
    const filled = cells.filter((cell) => cell !== '');
    const isHeader = filled.length >= Math.max(MIN_COLUMNS, 2 * widest) && areNames(filled);
    widest = Math.max(widest, filled.length);
    return isHeader;
  });
}

const areNames = (cells: readonly string[]): boolean =>
  new Set(cells).size === cells.length && cells.every((cell) => cell.length <= MAX_NAME_LENGTH && !NO_NAME.test(cell));

/** The line of the first record after an offset. */
function lineAfter(bytes: Buffer, offset: number): number {
  const before = bytes.subarray(0, offset).toString().split(LINE_BREAK).length;
  const after = bytes.subarray(offset).toString().split(LINE_BREAK);
  return (
    before +
    Math.max(
      after.findIndex((line) => CONTENT.test(line)),
      0,
    )
  );
}
