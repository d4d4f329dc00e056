/*
 * What a thread runs. An entry of its own, because it loads parsers and tables of charsets, which whoever uses only its results
 * does without.
 */
export { summarizeHeader } from './header-summary.js';
export { parseMail } from './parse-mail.js';
