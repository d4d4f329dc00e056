/**
 * The positions at which a spreadsheet may see the start of a cell with a formula: the beginning, and each position
 * after a semicolon, a tab or a line break, which are the separators of readers that do not split at commas. Such a
 * reader does not recognise the quotes around a cell of ours, so the separators inside are effective.
 */
const FORMULA_AFTER_SEPARATOR = /(?<=^|[;\t\r\n])(?=[ '"]*[=+\-@＝＋－＠])/g;
const ESCAPED = /(?<=^|[;\t\r\n])'(?=[ '"]*[=+\-@＝＋－＠])/g;
const NUMBER_OR_PHONE = /^[+-][\d ().-]*$/;

/**
 * Escapes a CSV cell against formula injection: an apostrophe before each possible formula makes a text of it, whether
 * the file is read with commas, semicolons or tabs. Numbers and phone numbers stay unchanged. {@link unescapeFormula} is
 * the inverse.
 */
export const escapeFormula = (text: string): string =>
  NUMBER_OR_PHONE.test(text) ? text : text.replace(FORMULA_AFTER_SEPARATOR, "'");

/** Removes the apostrophes that {@link escapeFormula} or a person put before formulas. */
export const unescapeFormula = (cell: string): string => (cell.includes("'") ? cell.replace(ESCAPED, '') : cell);
