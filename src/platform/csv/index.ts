export { BYTE_ORDER_MARK, csvCell, csvText } from './csv-text.js';
export { CsvExports, type CsvExport } from './csv-exports.js';
export { escapeFormula, unescapeFormula } from './formula-escape.js';
