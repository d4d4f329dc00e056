import { ValidationFailed } from '@outreach/http-errors';

/** 422 on `file`: the upload cannot be read as CSV. `problem` is a sentence for the user. */
export class NotCsv extends ValidationFailed {
  constructor(readonly problem: string) {
    super({ file: [problem] });
  }
}
