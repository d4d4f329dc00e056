/** What is wrong in a file. */
export interface FileFault {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

/** Something in the files of a catalogue that keeps all of them from being published. */
export interface CatalogueFault extends FileFault {
  /** Relative to the catalogue's folder. */
  readonly file: string;
}

/** The files of a catalogue cannot be published, none of them. The message has a line for each fault. */
export class CatalogueBroken extends Error {
  constructor(readonly faults: readonly CatalogueFault[]) {
    super(faults.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).join('\n'));
  }
}
