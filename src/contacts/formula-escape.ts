/** What spreadsheets take for the beginning of a formula, in CSV too; an apostrophe before it makes it a text. */
const FORMULA = /^'*[=+\-@＝＋－＠]/;
const ESCAPED = /^'+[=+\-@＝＋－＠]/;
const NUMBER_OR_PHONE = /^[+-][\d\s().-]*$/;

/**
 * A text as a cell that no spreadsheet computes: one that begins like a formula gets an apostrophe, as people would
 * type it. Numbers and phone numbers stay as they are. {@link unescapeFormula} takes back exactly what this adds.
 */
export const escapeFormula = (text: string): string =>
  FORMULA.test(text) && !NUMBER_OR_PHONE.test(text) ? `'${text}` : text;

/** The text behind a cell that {@link escapeFormula} or a person has made. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && ESCAPED.test(cell) ? cell.slice(1) : cell;
