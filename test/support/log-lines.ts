/** A line of the log in JSON. */
export interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** @returns the lines of what a process has written to standard error, without those that are not JSON */
export const logLines = (text: string): LogLine[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine);

/** @returns the lines with a message */
export const linesOf = (text: string, message: string): LogLine[] =>
  logLines(text).filter(({ msg }) => msg === message);
