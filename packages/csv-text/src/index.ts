export { BYTE_ORDER_MARK, csvCell, csvText } from './csv-text.js';
export { escapeFormula, unescapeFormula } from './formula-escape.js';
