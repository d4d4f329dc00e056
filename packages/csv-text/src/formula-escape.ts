/**
 * The positions at which a spreadsheet may see the start of a cell with a formula: the beginning, and each position
 * after a semicolon, a tab or a line break, which are the separators of readers that do not split at commas. Such a
 * reader does not recognise the quotes around a cell of ours, so the separators inside are effective. A text that begins
 * with a tab or a line break is escaped, too: some readers remove them, and then see what follows.
 */
const FORMULA_AFTER_SEPARATOR = /(?<=^|[;\t\r\n])(?=[ '"]*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/g;
const ESCAPED = /(?<=^|[;\t\r\n])'(?=[ '"]*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/g;

const NUMBER = /^[+-][\d .]*$/;
const PHONE = /^[+-][\d ().-]*$/;
/** Two numbers without an operator between them, so that a text is no formula: `+1 202-555-0143`. */
const ADJACENT_NUMBERS = /\d +[\d(]|\d\(|\) *\d/;

/**
 * Whether a text that begins with a sign is no formula: a number, or a phone number that no spreadsheet computes. Excel
 * would show -899 for `+1-202-555-143`.
 */
const isNumberOrPhone = (text: string): boolean =>
  NUMBER.test(text) || (PHONE.test(text) && ADJACENT_NUMBERS.test(text));

/**
 * Escapes a CSV cell against formula injection: an apostrophe before each possible formula makes a text of it, whether
 * the file is read with commas, semicolons or tabs. Numbers and phone numbers stay unchanged. {@link unescapeFormula} is
 * the inverse.
 */
export const escapeFormula = (text: string): string =>
  isNumberOrPhone(text) ? text : text.replace(FORMULA_AFTER_SEPARATOR, "'");

/** Removes the apostrophes that {@link escapeFormula} or a person put before formulas. */
export const unescapeFormula = (cell: string): string => (cell.includes("'") ? cell.replace(ESCAPED, '') : cell);
