import { OperatorError } from '../../platform/errors/index.js';

/** An error in a file. */
export interface FileError {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

/** An error in a file of a catalogue. It prevents the publication of all files. */
export interface CatalogueError extends FileError {
  /** Relative to the catalogue's folder. */
  readonly file: string;
}

/** A catalogue cannot be published. The message has one line per error: `file:line: reason`. */
export class InvalidCatalogue extends OperatorError {
  constructor(readonly errors: readonly CatalogueError[]) {
    super(errors.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).join('\n'));
  }
}
