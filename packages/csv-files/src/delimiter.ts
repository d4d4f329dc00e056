export type Delimiter = ',' | ';' | '\t';

/** All delimiters. */
export const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/** The delimiter that occurs most often in the header outside quotes; a comma if none occurs (a single column). */
export function delimiterOf(text: string): Delimiter {
  const header = unquotedHeader(text);
  return DELIMITERS.reduce((best, each) => (timesIn(header, each) > timesIn(header, best) ? each : best));
}

/** The delimiter that the first line tells Excel, as `sep=;`, if it does. */
export function directiveOf(text: string): Delimiter | undefined {
  const found = /^"?sep=([,;\t])"?[\r\n]/i.exec(text)?.[1];
  return DELIMITERS.find((delimiter) => delimiter === found);
}

/** The first line that is not blank, without its quoted parts, which may contain line breaks and other delimiters. */
function unquotedHeader(text: string): string {
  const unquoted = text.replace(/"[^"]*("|$)/g, '"');
  return unquoted.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1)[0] ?? '';
}

function timesIn(text: string, delimiter: Delimiter): number {
  return text.split(delimiter).length - 1;
}
