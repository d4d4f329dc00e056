const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Formats a row for the text format of PostgreSQL's COPY. `undefined` is NULL. */
export const copyRow = (values: readonly (string | undefined)[]): string => `${values.map(copyValue).join('\t')}\n`;

function copyValue(value: string | undefined): string {
  if (value === undefined) return '\\N';
  return SPECIAL.test(value) ? value.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character) : value;
}
