/** How csv-parse reads files (RFC 4180), apart from the delimiter. Quotes inside an unquoted cell are ordinary characters. */
export const PARSER_OPTIONS = {
  bom: true,
  ltrim: true, // a quote may follow a space
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
};
