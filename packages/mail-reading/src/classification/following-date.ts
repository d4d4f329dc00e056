import { DAY_MARKS, readDate, type ReadDate, type WrittenDate } from './written-date.js';

/** A set of words that are separated by spaces. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** A date in the text, and whether it is the last day away or the first day here. */
export interface Candidate {
  readonly date: WrittenDate;
  readonly is_last_day_away: boolean;
}

/** How many words may stand before a date. */
export const MAX_FILLERS = 9;

/** Returns the index of the first token that is no filler. */
export function skipFillers(tokens: readonly string[], from: number, fillers: ReadonlySet<string>): number {
  let index = from;
  while (index < from + MAX_FILLERS && fillers.has(tokens[index] ?? '')) index += 1;
  return index;
}

/** Reads the first date after words that may stand before it. */
export function dateAfter(
  tokens: readonly string[],
  from: number,
  fillers: ReadonlySet<string>,
): { readonly start: number; readonly read: ReadDate } | undefined {
  for (let start = from; start <= from + MAX_FILLERS; start += 1) {
    const read = readDate(tokens, start, isDayExpected(tokens, start));
    if (read) return { start, read };
    if (!fillers.has(tokens[start] ?? '')) return undefined;
  }
  return undefined;
}

/** "The 5", "le 5", "bis 5." */
const isDayExpected = (tokens: readonly string[], index: number): boolean =>
  DAY_MARKS.has(tokens[index - 1] ?? '') || (tokens[index - 1] === 'bis' && tokens[index + 1] === '.');
