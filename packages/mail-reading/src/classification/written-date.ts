import { COUNTS, DAYS_OF, MONTHS, WEEKDAYS } from './date-words.js';

/** A date as it is written in a text: what is missing is undefined. */
export type WrittenDate =
  | {
      readonly kind: 'day';
      readonly day: number;
      readonly month?: number | undefined;
      readonly year?: number | undefined;
      /** The name of its weekday, if it is written: 1 to 7, Monday first. */
      readonly weekday?: number | undefined;
      /** Day and month can be exchanged: `12/07/2026`. */
      readonly is_ambiguous?: boolean;
    }
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'days ahead'; readonly days: number }
  | { readonly kind: 'next week' }
  | { readonly kind: 'month end'; readonly month: number };

/** A date that was read, and the index of the token after it. */
export interface ReadDate {
  readonly date: WrittenDate;
  readonly next: number;
}

/** The words before a day that is written as a number alone. */
export const DAY_MARKS: ReadonlySet<string> = new Set(
  'the le au du zum am ab dem den vom el día il dia dnia'.split(' '),
);

/** Splits a text into words, numbers and single other characters, in lower case. */
export const tokensOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFC')
    .match(/\d+|\p{L}+|[^\s\d\p{L}]/gu) ?? [];

/** Words between a weekday, a day and a month: `Monday, the 5th of January`, `Montag, den 5. Januar`. */
const BETWEEN: ReadonlySet<string> = new Set(", . ( the of le den dem de d ' ’ - feira del dia día dnia".split(' '));
const ORDINALS: ReadonlySet<string> = new Set(['st', 'nd', 'rd', 'th', 'er', 'ème', 'eme', 'e', 'º', '°', 'ª']);
/** What follows a number that is a time or a count, and no day. */
const NO_DAY: ReadonlySet<string> = new Set(
  ': h am pm a p uhr heures heure hours hour o % days day weeks week months jours jour semaines semaine mois tage tagen wochen woche stunden minutes min'.split(
    ' ',
  ),
);

const numberIn = (token: string | undefined): number | undefined =>
  token !== undefined && /^\d{1,4}$/.test(token) ? Number(token) : undefined;
const isYear = (token: string | undefined): boolean => token !== undefined && /^20\d\d$/.test(token);
const isDay = (value: number | undefined): value is number => value !== undefined && value >= 1 && value <= 31;

/** How many words lie between the parts of a date. */
const MAX_BETWEEN = 4;

function skip(tokens: readonly string[], index: number, words: ReadonlySet<string>): number {
  let next = index;
  while (next < index + MAX_BETWEEN && words.has(tokens[next] ?? '')) next += 1;
  return next;
}

/** Reads the date that begins at a token, or returns undefined if none does. */
export function readDate(tokens: readonly string[], index: number, dayAlone = false): ReadDate | undefined {
  const weekday = WEEKDAYS.get(tokens[index] ?? '');
  if (weekday !== undefined) {
    const after = skip(tokens, index + 1, BETWEEN);
    const day =
      after - index <= MAX_BETWEEN
        ? readDay(tokens, after, after === index + 1 || DAY_MARKS.has(tokens[after - 1] ?? ''))
        : undefined;
    if (day?.date.kind === 'day') return { ...day, date: { ...day.date, weekday } };
    return { date: { kind: 'weekday', weekday }, next: index + 1 };
  }
  return readDay(tokens, index, dayAlone) ?? readRelative(tokens, index);
}

const readDay = (tokens: readonly string[], index: number, dayAlone: boolean): ReadDate | undefined =>
  readNumeric(tokens, index) ??
  readDayMonth(tokens, index) ??
  readMonthDay(tokens, index) ??
  readDayAlone(tokens, index, dayAlone);

/** `2027-01-05`, `05.01.2027`, `5/1/27`, `5/1`, `5.1.`. The day is read first, unless it cannot be: `1/25/2027`. */
function readNumeric(tokens: readonly string[], index: number): ReadDate | undefined {
  const [first, separator, second] = [numberIn(tokens[index]), tokens[index + 1], numberIn(tokens[index + 2])];
  if (first === undefined || second === undefined || !/^[./-]$/.test(separator ?? '')) return undefined;
  const third = tokens[index + 3] === separator ? tokens[index + 4] : undefined;
  if (isYear(tokens[index])) {
    const day = numberIn(third);
    return isDay(day) && second <= 12 ? dated(day, second, first, index + 5) : undefined;
  }
  const year = yearIn(third);
  // `3-14 August` is a range, and `17.30 Uhr` a time.
  if (
    year === undefined &&
    (separator === '-' || MONTHS.has(tokens[index + 3] ?? '') || NO_DAY.has(tokens[index + 3] ?? ''))
  )
    return undefined;
  const next = index + (year === undefined ? 3 : 5);
  // `12.30` is a time.
  if (second > 12 && first <= 12 && (separator === '/' || year !== undefined)) return dated(second, first, year, next);
  const read = dated(first, second, year, next);
  // No language writes the month before a dot.
  const isAmbiguous = separator !== '.' && first <= 12 && first !== second;
  return read?.date.kind === 'day' && isAmbiguous ? { ...read, date: { ...read.date, is_ambiguous: true } } : read;
}

function yearIn(token: string | undefined): number | undefined {
  if (isYear(token)) return Number(token);
  return token !== undefined && /^[2-9]\d$/.test(token) ? 2000 + Number(token) : undefined;
}

/** `5 January 2027`, `5th of January`, `1er janvier`, `5. Januar`. */
function readDayMonth(tokens: readonly string[], index: number): ReadDate | undefined {
  const day = numberIn(tokens[index]);
  if (!isDay(day)) return undefined;
  const afterDay = ORDINALS.has(tokens[index + 1] ?? '') ? index + 2 : index + 1;
  const monthAt = skip(tokens, afterDay, BETWEEN);
  const month = MONTHS.get(tokens[monthAt] ?? '');
  if (month === undefined) return undefined;
  const yearAt = skip(tokens, monthAt + 1, BETWEEN);
  return isYear(tokens[yearAt])
    ? dated(day, month, Number(tokens[yearAt]), yearAt + 1)
    : dated(day, month, undefined, monthAt + 1);
}

/** `January 5th, 2027`, `Jan. 5`. */
function readMonthDay(tokens: readonly string[], index: number): ReadDate | undefined {
  const month = MONTHS.get(tokens[index] ?? '');
  if (month === undefined) return undefined;
  const dayAt = skip(tokens, index + 1, BETWEEN);
  const day = numberIn(tokens[dayAt]);
  if (!isDay(day) || tokens[dayAt + 1] === ':') return undefined;
  const afterDay = ORDINALS.has(tokens[dayAt + 1] ?? '') ? dayAt + 2 : dayAt + 1;
  const yearAt = tokens[afterDay] === ',' ? afterDay + 1 : afterDay;
  return isYear(tokens[yearAt])
    ? dated(day, month, Number(tokens[yearAt]), yearAt + 1)
    : dated(day, month, undefined, afterDay);
}

/** `the 5th`, and `5` or `5.` where the word before it says that it is a day. */
function readDayAlone(tokens: readonly string[], index: number, isExpected: boolean): ReadDate | undefined {
  const day = numberIn(tokens[index]);
  if (!isDay(day) || tokens[index]?.length === 4) return undefined;
  const after = tokens[index + 1] ?? '';
  if (ORDINALS.has(after)) return dated(day, undefined, undefined, index + 2);
  if (!isExpected || NO_DAY.has(after) || /^\d/.test(after)) return undefined;
  return dated(day, undefined, undefined, index + 1);
}

function readRelative(tokens: readonly string[], index: number): ReadDate | undefined {
  const [first, second] = [tokens[index] ?? '', tokens[index + 1] ?? ''];
  if (/^(tomorrow|demain|morgen)$/.test(first)) return { date: { kind: 'days ahead', days: 1 }, next: index + 1 };
  if (first === 'aujourd' && tokens[index + 2] === 'hui')
    return { date: { kind: 'days ahead', days: 0 }, next: index + 3 };
  if (/^(today|heute)$/.test(first)) return { date: { kind: 'days ahead', days: 0 }, next: index + 1 };
  const isWeek = (first === 'next' && second === 'week') || (/^nächste[rn]?$/.test(first) && second === 'woche');
  const isFrenchWeek = first === 'semaine' && second === 'prochaine';
  if (isWeek || isFrenchWeek) return { date: { kind: 'next week' }, next: index + 2 };
  return readPeriod(tokens, index) ?? readMonthEnd(tokens, index);
}

/** `in two weeks`, `dans 10 jours`, `in einer Woche`. */
function readPeriod(tokens: readonly string[], index: number): ReadDate | undefined {
  if (!/^(in|dans)$/.test(tokens[index] ?? '')) return undefined;
  const count = numberIn(tokens[index + 1]) ?? COUNTS.get(tokens[index + 1] ?? '');
  const days = DAYS_OF.get(tokens[index + 2] ?? '');
  if (count === undefined || days === undefined) return undefined;
  return { date: { kind: 'days ahead', days: count * days }, next: index + 3 };
}

/** `end of January`, `fin janvier`, `Ende Januar`. */
function readMonthEnd(tokens: readonly string[], index: number): ReadDate | undefined {
  if (!/^(end|fin|ende)$/.test(tokens[index] ?? '')) return undefined;
  const monthAt = skip(tokens, index + 1, BETWEEN);
  const month = MONTHS.get(tokens[monthAt] ?? '');
  return month === undefined ? undefined : { date: { kind: 'month end', month }, next: monthAt + 1 };
}

function dated(day: number, month: number | undefined, year: number | undefined, next: number): ReadDate | undefined {
  if (!isDay(day) || (month !== undefined && (month < 1 || month > 12))) return undefined;
  return { date: { kind: 'day', day, month, year }, next };
}
