import { isDateText } from '../../contacts/index.js';

/** In UTC every day has 24 hours. */
const DAY_MS = 86_400_000;

/** A period in milliseconds since 1970. `before` is exclusive. */
export interface Period {
  readonly from: number;
  readonly before: number;
}

/**
 * Returns the period of a date: the whole day in UTC (`2026-11-21`), or the millisecond of an instant.
 * @returns undefined if the text is not a date
 */
export function periodOf(text: string): Period | undefined {
  if (!isDateText(text)) return undefined;
  const from = Date.parse(text);
  return { from, before: from + (text.includes('T') ? 1 : DAY_MS) };
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** @returns undefined if the text is not a finite number */
export function numberOf(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** @returns undefined if the text is not an ID, which is an integer from 1 to 2^53 − 1 */
export function idOf(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) && id >= 1 ? id : undefined;
}

/** @returns undefined if the text is neither `true` nor `false` */
export const booleanOf = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;
