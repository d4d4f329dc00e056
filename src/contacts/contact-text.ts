import { normalizeEmail, normalizeEmailPart } from '@outreach/email-addresses';
import { containing, escapeLike, type Sql, sql } from '../platform/database/index.js';
import { type ContactTextField, SEARCHABLE_FIELDS, type SearchableField } from './contact-fields.js';

/** How a text is compared. `equals` compares the complete text exactly; the others compare a part and ignore case. */
export type TextComparison = 'equals' | 'contains' | 'starts_with' | 'ends_with';

/** {@link fullName} in SQL, on `record`; the empty string if the contact has no name. */
const FULL_NAME = sql`concat_ws(' ', nullif(record.first_name, ''), nullif(record.last_name, ''))`;

/** SQL for the value of a text field of `record`. */
export const contactText = (field: ContactTextField): Sql =>
  field === 'full_name' ? FULL_NAME : sql`record.${sql.ref(field)}`;

/** A condition on `record`, and an equivalent condition that can use a trigram index, if there is one. */
export interface TextMatch {
  readonly exact: Sql;
  readonly indexed?: Sql;
}

/**
 * SQL on `record` that compares a text field with a value. B-tree indexes serve whole values. For parts of values,
 * trigram indexes find the candidates: one on `search_text`, whose lines are email, names and company, and one on job
 * title and phone. If most contacts are candidates, testing all contacts with `exact` costs less.
 */
export function contactTextMatches(field: ContactTextField, comparison: TextComparison, text: string): TextMatch {
  if (field === 'email' && comparison === 'equals') return { exact: sql`record.email = ${normalizeEmail(text)}` };
  return textMatches(field, comparison, field === 'email' ? normalizeEmailPart(text) : text);
}

function textMatches(field: ContactTextField, comparison: TextComparison, value: string): TextMatch {
  const text = contactText(field);
  if (comparison === 'equals' && IN_LOWER_CASE.has(field)) {
    return { exact: sql`lower(${text}) COLLATE "C" = lower(${value}) AND ${text} = ${value}::text` };
  }
  // Addresses are stored in lower case. Without lower(), the index on email can serve `starts_with`.
  const exact = field === 'email' ? compared(text, comparison, value, text) : compared(text, comparison, value);
  const isWhole = comparison === 'equals' && field !== 'full_name' && field !== 'phone';
  if (isWhole || !USES_INDEX[comparison].test(value)) return { exact };
  if (isSearchable(field)) {
    const pattern = linePattern(field, comparison, value);
    return { exact, indexed: sql`record.search_text LIKE lower(${pattern}) AND ${exact}` };
  }
  if (field === 'phone' && comparison === 'equals') {
    return { exact, indexed: sql`lower(record.phone) LIKE lower(${escapeLike(value)}) AND ${exact}` };
  }
  return { exact };
}

/** The fields whose index contains their lower case, because it has the order of lists. */
const IN_LOWER_CASE: ReadonlySet<ContactTextField> = new Set<ContactTextField>([
  'first_name',
  'last_name',
  'job_title',
]);

const isSearchable = (field: ContactTextField): field is SearchableField =>
  SEARCHABLE_FIELDS.some((searchable) => searchable === field);

/**
 * Returns a term of a search, which may be an address or its domain, as addresses are stored. Names have no dot within a word.
 */
export const searchedText = (term: string): string => (term.includes('@') ? normalizeEmailPart(term) : term);

/** SQL on `record`: the term occurs in its email, names or company, ignoring case. */
export const searchTextContains = (term: string): Sql =>
  USES_INDEX.contains.test(term)
    ? sql`record.search_text LIKE lower(${containing(term)})`
    : sql`strpos(record.search_text, lower(${term})) > 0`;

/**
 * SQL on `record` that compares a custom field of the type `text` with a value. The trigram index on the JSON text of
 * `custom_fields` finds the candidates.
 * @param key letters, digits, `_` and `-` only
 */
export function customTextMatches(key: string, comparison: TextComparison, value: string): TextMatch {
  if (comparison === 'equals')
    return { exact: sql`record.custom_fields @> ${JSON.stringify({ [key]: value })}::jsonb` };
  const exact = compared(customText(key), comparison, value);
  if (!USES_INDEX[comparison].test(value)) return { exact };
  const quoted = JSON.stringify(value);
  const json = {
    contains: quoted.slice(1, -1),
    starts_with: `"${key}": ${quoted.slice(0, -1)}`,
    ends_with: quoted.slice(1),
  }[comparison];
  return { exact, indexed: sql`lower(record.custom_fields::text) LIKE lower(${containing(json)}) AND ${exact}` };
}

/** SQL for the value of a custom field of `record` as text. */
export const customText = (key: string): Sql => sql`(record.custom_fields ->> ${key}::text)`;

/**
 * Values that a trigram index can find: three letters or digits in a row, or the known start or end of a word. For
 * other values PostgreSQL reads the whole index and then all contacts, which takes five times as long as reading all
 * contacts.
 */
const USES_INDEX: Readonly<Record<TextComparison, RegExp>> = {
  equals: /[\p{L}\p{N}]{3}|^[\p{L}\p{N}]/u,
  contains: /[\p{L}\p{N}]{3}/u,
  starts_with: /[\p{L}\p{N}]{3}|^[\p{L}\p{N}]/u,
  ends_with: /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}$/u,
};

/**
 * SQL that compares a text with a value. Uses `LIKE` where an index can help, else functions with the same result.
 * @param lowered the text in lower case
 */
export function compared(text: Sql, comparison: TextComparison, value: string, lowered = sql`lower(${text})`): Sql {
  switch (comparison) {
    case 'equals':
      return sql`${text} = ${value}::text`;
    case 'contains':
      return USES_INDEX.contains.test(value)
        ? sql`${lowered} LIKE lower(${containing(value)})`
        : sql`strpos(${lowered}, lower(${value})) > 0`;
    case 'starts_with':
      return sql`${lowered} LIKE lower(${`${escapeLike(value)}%`})`;
    case 'ends_with':
      return USES_INDEX.ends_with.test(value)
        ? sql`${lowered} LIKE lower(${`%${escapeLike(value)}`})`
        : sql`right(${lowered}, length(lower(${value}))) = lower(${value})`;
    default:
      return comparison satisfies never;
  }
}

/** The LIKE pattern that finds the value in `search_text`, where a line break separates the two names. */
function linePattern(field: SearchableField, comparison: TextComparison, value: string): string {
  const [before, after] = LINE_ENDS[field];
  const escaped = field === 'full_name' ? escapeLike(value).replaceAll(' ', '_') : escapeLike(value);
  const start = comparison === 'equals' || comparison === 'starts_with' ? before : '%';
  const end = comparison === 'equals' || comparison === 'ends_with' ? after : '%';
  return start + escaped + end;
}

/** The LIKE patterns before and after each field in `search_text`. */
const LINE_ENDS: Readonly<Record<SearchableField, readonly [string, string]>> = {
  email: ['', '\n%'],
  first_name: ['%\n', '\n%'],
  last_name: ['%\n', '\n%'],
  full_name: ['%\n', '\n%'],
  company: ['%\n', ''],
};
