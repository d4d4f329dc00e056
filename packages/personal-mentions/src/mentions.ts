import type { DescribedPerson } from './described-person.js';

/** What stands in the place of what described a person. */
export const ERASED = 'erased';

/** Whether a text tells of the person. */
export function mentions({ texts, names }: DescribedPerson, text: string): boolean {
  const lower = text.toLowerCase();
  const found = texts.filter((part) => lower.includes(part));
  if (found.length > 0 && patternOf(found).test(lower)) return true;
  return names.length > 0 && names.every((name) => hasWord(lower, name));
}

/**
 * Replaces what tells of the person in a text.
 * @param options.withNames whether first and last name together are replaced, too, with up to two words between them
 */
export function withoutMentions(
  { texts, names }: DescribedPerson,
  text: string,
  { withNames }: { readonly withNames: boolean },
): string {
  const replaced = text.replace(patternOf(texts), ERASED);
  const [first, last] = names.map(escapeRegularExpression);
  if (!withNames || first === undefined || last === undefined) return replaced;
  return replaced.replace(asWord(`${first}(?:\\s+[^\\s,;]+){0,2}?\\s+${last}|${last},?\\s+${first}`), ERASED);
}

/** Whether a text has a name that is not part of a longer word. */
const hasWord = (text: string, word: string): boolean =>
  text.includes(word) && asWord(escapeRegularExpression(word)).test(text);

const asWord = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'giu');

/**
 * Matches values that are not part of a longer one: `ann@x.example` in neither `mary.ann@x.example` nor
 * `ann@x.example.com`.
 */
const patternOf = (values: readonly string[]): RegExp => {
  const longestFirst = [...values].sort((one, other) => other.length - one.length).map(escapeRegularExpression);
  return new RegExp(`(?<![\\p{L}\\p{N}][._+-]?)(?:${longestFirst.join('|')})(?![.-]?[\\p{L}\\p{N}])`, 'giu');
};

const escapeRegularExpression = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
