export { CsvFile, type CsvRecord, openCsv } from './csv-file.js';
export { foldedName } from './folded-name.js';
export { NotCsv } from './not-csv.js';
export { type LowerHeader } from './preamble.js';
export { quotedName } from './quoted-name.js';
