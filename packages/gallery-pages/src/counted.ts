import type { Language } from '@outreach/html-pages';

/** Returns a number with its noun: `1 download`, `1,234 downloads`. */
export const counted = (count: number, one: string, many: string, language: Language): string =>
  `${formatted(count, language)} ${new Intl.PluralRules(language).select(count) === 'one' ? one : many}`;

/** Returns a number as the language writes it. */
export const formatted = (count: number, language: Language): string => new Intl.NumberFormat(language).format(count);
