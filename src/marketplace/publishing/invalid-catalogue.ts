/** What is wrong in a file. */
export interface FileError {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

/** Something in the files of a catalogue that keeps all of them from being published. */
export interface CatalogueError extends FileError {
  /** Relative to the catalogue's folder. */
  readonly file: string;
}

/** The files of a catalogue cannot be published, none of them. The message has a line for each fault. */
export class InvalidCatalogue extends Error {
  constructor(readonly errors: readonly CatalogueError[]) {
    super(errors.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).join('\n'));
  }
}
