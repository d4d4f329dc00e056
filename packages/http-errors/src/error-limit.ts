import type { FieldErrors } from './errors.js';

/** How many fields `errors` names. */
export const MAX_ERRORS = 100;
/** The key of `errors` that says how many other fields are invalid. */
const MORE = '_more';
const MAX_PATH_LENGTH = 500;
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * Returns at most 100 of the errors, or `max`, and, in `_more`, the number of the others: a response must not be many times as
 * large as its request. Very long paths and messages are cut.
 */
export function limitErrors(errors: FieldErrors, max = MAX_ERRORS): FieldErrors {
  const all = Object.entries(errors);
  const named = all
    .slice(0, max)
    .map(([path, messages]) => [cut(path, MAX_PATH_LENGTH), messages.map((one) => cut(one, MAX_MESSAGE_LENGTH))]);
  const more = all.length - named.length;
  const rest = more === 1 ? '1 more field is invalid.' : `${more} more fields are invalid.`;
  return Object.fromEntries(more > 0 ? [...named, [MORE, [rest]]] : named) as FieldErrors;
}

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text);
