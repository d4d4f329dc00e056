import { Conflict, NotFound } from '../../platform/errors/index.js';

/** 409: an import that has ended cannot be cancelled. */
export class ImportEnded extends Conflict {
  override readonly reason = 'import_ended';
  constructor() {
    super('The import has ended.');
  }
}

/** 409: the refused rows are known when the import has ended. */
export class ImportNotEnded extends Conflict {
  override readonly reason = 'import_not_ended';
  constructor() {
    super('The import has not ended yet.');
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
