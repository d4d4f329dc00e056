import { Conflict, defineReason, NotFound } from '@outreach/http-errors';

const IMPORT_ENDED = defineReason('import_ended', 409, 'The import has ended, so that it cannot be cancelled.');
const IMPORT_NOT_ENDED = defineReason(
  'import_not_ended',
  409,
  'The import has not ended yet. Its refused rows are known afterwards.',
);

/** 409: an import that has ended cannot be cancelled. */
export class ImportEnded extends Conflict {
  constructor() {
    super(IMPORT_ENDED, 'The import has ended.');
  }
}

/** 409: the refused rows are known when the import has ended. */
export class ImportNotEnded extends Conflict {
  constructor() {
    super(IMPORT_NOT_ENDED, 'The import has not ended yet.');
  }
}

/** 404: the workspace had more refused rows than are stored. */
export class RefusedRowsDeleted extends NotFound {
  constructor() {
    super('Refused rows');
  }
}

/** The import was cancelled, or another worker has it: this worker must not store anything of it. */
export class ImportTaken extends Error {
  constructor() {
    super('The import was cancelled, or another worker has begun it anew.');
  }
}
