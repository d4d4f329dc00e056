/** The characters with which a formula starts in a spreadsheet. A leading apostrophe makes the cell a text. */
const FORMULA = /^'*[=+\-@＝＋－＠]/;
const ESCAPED = /^'+[=+\-@＝＋－＠]/;
const NUMBER_OR_PHONE = /^[+-][\d\s().-]*$/;

/**
 * Escapes a CSV cell against formula injection: a text that starts like a formula gets a leading apostrophe. Numbers
 * and phone numbers stay unchanged. {@link unescapeFormula} is the inverse.
 */
export const escapeFormula = (text: string): string =>
  FORMULA.test(text) && !NUMBER_OR_PHONE.test(text) ? `'${text}` : text;

/** Removes the apostrophe that {@link escapeFormula} or a person put before a formula. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && ESCAPED.test(cell) ? cell.slice(1) : cell;
