/** What spreadsheets take for the beginning of a formula, in CSV too; an apostrophe before it makes it a text. */
const FORMULA = /^'*[=+\-@＝＋－＠]/;
const GUARDED = /^'+[=+\-@＝＋－＠]/;
const NUMBER_OR_PHONE = /^[+-][\d\s().-]*$/;

/**
 * A text as a cell that no spreadsheet computes: one that begins like a formula gets an apostrophe, as people would
 * type it. Numbers and phone numbers stay as they are. {@link unguarded} takes back exactly what this adds.
 */
export const guarded = (text: string): string =>
  FORMULA.test(text) && !NUMBER_OR_PHONE.test(text) ? `'${text}` : text;

/** The text behind a cell that {@link guarded} or a person has made. */
export const unguarded = (cell: string): string => (cell.startsWith("'") && GUARDED.test(cell) ? cell.slice(1) : cell);
