/**
 * A template contains a `{{` that does not start a variable. `line` and `column` (both from 1, the column in Unicode
 * code points) are those of the `{{`; `reason` is a message for the author of the template.
 */
export class TemplateSyntaxError extends Error {
  override readonly name = 'TemplateSyntaxError';

  constructor(
    readonly line: number,
    readonly column: number,
    readonly reason: string,
  ) {
    super(`line ${line}, column ${column}: ${reason}`);
  }

  /** Returns the error for the `{{` at `offset` (UTF-16 units, from 0) of `source`. */
  static at(source: string, offset: number, reason: string): TemplateSyntaxError {
    const lines = source.slice(0, offset).split(/\r\n|\r|\n/);
    const column = Array.from(lines.at(-1) ?? '').length + 1;
    return new TemplateSyntaxError(lines.length, column, reason);
  }
}
