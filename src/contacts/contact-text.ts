import { containing, escapeLike, type Sql, sql } from '../platform/database/index.js';
import { type ContactTextField, SEARCHABLE_FIELDS, type SearchableField } from './contact-fields.js';

/** How a text is compared: as a whole and exactly, or by a part of it, ignoring case. */
export type TextComparison = 'equals' | 'contains' | 'starts_with' | 'ends_with';

/** As {@link fullName} makes it, in SQL on `record`; the empty text where there is no name. */
const FULL_NAME = sql`concat_ws(' ', nullif(record.first_name, ''), nullif(record.last_name, ''))`;

/** The value of a text field of `record`, in SQL. */
export const contactText = (field: ContactTextField): Sql =>
  field === 'full_name' ? FULL_NAME : sql`record.${sql.ref(field)}`;

/** A condition on `record`, and where there is another way to say it that leads to a trigram index, that way. */
export interface TextMatch {
  readonly exact: Sql;
  readonly indexed?: Sql;
}

/**
 * The condition on `record` that a text field compares so with a value. Whole values have indexes of their own; for
 * parts trigram indexes find candidates: one of `search_text`, whose lines are email, names and company, and one of job
 * title and phone. Where most contacts are candidates, testing all of them is less work.
 */
export function contactTextMatches(field: ContactTextField, comparison: TextComparison, value: string): TextMatch {
  if (field === 'email' && comparison === 'equals') return { exact: sql`record.email = ${value.toLowerCase()}` };
  const text = contactText(field);
  // Addresses are stored in lower case; besides, their own index can find a beginning then.
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

const isSearchable = (field: ContactTextField): field is SearchableField =>
  SEARCHABLE_FIELDS.some((searchable) => searchable === field);

/** The condition on `record` that a term occurs in its email, names or company, ignoring case. */
export const searchTextContains = (term: string): Sql =>
  USES_INDEX.contains.test(term)
    ? sql`record.search_text LIKE lower(${containing(term)})`
    : sql`strpos(record.search_text, lower(${term})) > 0`;

/**
 * The condition on `record` that a custom field of the type `text` compares so with a value. The index over the JSON
 * text of all of them finds the candidates.
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

/** The value of a custom field of `record` as text, in SQL. */
export const customText = (key: string): Sql => sql`(record.custom_fields ->> ${key}::text)`;

/**
 * Values that trigram indexes can find: three letters in a row, or a word's beginning or end that is known as such. For
 * others PostgreSQL would read all of the index and then all contacts, five times as long as contacts alone.
 */
const USES_INDEX: Readonly<Record<TextComparison, RegExp>> = {
  equals: /[\p{L}\p{N}]{3}|^[\p{L}\p{N}]/u,
  contains: /[\p{L}\p{N}]{3}/u,
  starts_with: /[\p{L}\p{N}]{3}|^[\p{L}\p{N}]/u,
  ends_with: /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}$/u,
};

/** Functions find what `LIKE` finds; only `LIKE` leads to an index. @param lowered the text in lower case */
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

/** Where the value stands in `search_text`. The space between two names is the end of a line there. */
function linePattern(field: SearchableField, comparison: TextComparison, value: string): string {
  const [before, after] = LINE_ENDS[field];
  const escaped = field === 'full_name' ? escapeLike(value).replaceAll(' ', '_') : escapeLike(value);
  const start = comparison === 'equals' || comparison === 'starts_with' ? before : '%';
  const end = comparison === 'equals' || comparison === 'ends_with' ? after : '%';
  return start + escaped + end;
}

/** What stands before and after a field in `search_text`, as patterns. */
const LINE_ENDS: Readonly<Record<SearchableField, readonly [string, string]>> = {
  email: ['', '\n%'],
  first_name: ['%\n', '\n%'],
  last_name: ['%\n', '\n%'],
  full_name: ['%\n', '\n%'],
  company: ['%\n', ''],
};
