import { parse } from 'csv-parse/sync';
import { csvRows } from './csv-rows.js';
import type { DescribedPerson } from './described-person.js';
import { mentions } from './mentions.js';

/** Refused rows without those that tell of a person. */
export interface ErasedRows {
  readonly remaining: string;
  /** The numbers of the rows that are left out, in the file of the import. */
  readonly numbers: ReadonlySet<number>;
}

/**
 * Leaves out the rows of a CSV of refused rows that tell of a person. It can be interrupted after each row.
 * @returns what remains, and which rows are left out
 */
export function* withoutRowsAbout(subject: DescribedPerson, csv: string): Generator<undefined, ErasedRows> {
  const remaining: string[] = [];
  const numbers = new Set<number>();
  for (const row of csvRows(csv)) {
    if (mentions(subject, row)) numbers.add(rowNumber(row));
    else remaining.push(row);
    yield;
  }
  return { remaining: remaining.join(''), numbers };
}

/** The number of the row is the third cell from the end. */
const rowNumber = (row: string): number =>
  Number(parse(row, { relax_column_count: true, relax_quotes: true })[0]?.at(-3));
