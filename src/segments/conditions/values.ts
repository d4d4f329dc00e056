import { isDateText } from '../../contacts/index.js';

/** A day of 24 hours, in milliseconds: UTC has no others. */
const DAY_MS = 86_400_000;

/** From an instant up to another, in milliseconds since 1970; the end is not part of it. */
export interface Period {
  readonly from: number;
  readonly before: number;
}

/**
 * The time that a text means: a whole day of UTC (`2026-11-21`), or the millisecond of an instant.
 * @returns undefined where it is no date
 */
export function periodOf(text: string): Period | undefined {
  if (!isDateText(text)) return undefined;
  const from = Date.parse(text);
  return { from, before: from + (text.includes('T') ? 1 : DAY_MS) };
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** @returns undefined where the text is no finite number */
export function numberOf(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** @returns undefined where the text is no ID: a positive integer, up to 2^53 − 1 */
export function idOf(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) && id >= 1 ? id : undefined;
}

/** @returns undefined where the text is neither `true` nor `false` */
export const booleanOf = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;
