import { ValidationFailed } from '../../../platform/errors/index.js';

/** 422 on `file`: the upload as a whole cannot be read as a CSV. The reason is a sentence for people. */
export class NotCsv extends ValidationFailed {
  constructor(readonly reason: string) {
    super({ file: [reason] });
  }
}
