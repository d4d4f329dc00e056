export { CsvExports, type CsvExport } from './csv-exports.js';
