/** What a field's faults are called in the answer: its path as the client wrote it → messages. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The machine-readable kinds of API v1, "Errors". */
export type ErrorKind = 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'HttpError' | 'TooManyRequests';

/**
 * A refusal that a client can act on. It knows its own status and wording, so that it can be thrown where the rule
 * lives and needs no translation on its way out (API v1, "Errors").
 */
export abstract class DomainError extends Error {
  abstract readonly status: number;
  readonly error: ErrorKind = 'HttpError';
  /** Present with validation failures only. */
  readonly errors: FieldErrors | null = null;
}

/** Ends a command or the whole process. The message is for the operator: one line for each thing to correct. */
export abstract class OperatorError extends Error {}

/** 404: nothing of that name in the workspace. */
export class NotFound extends DomainError {
  readonly status = 404;
  constructor(what = 'Resource') {
    super(`${what} not found.`);
  }
}

/** 409: the request contradicts what is stored, e.g. a name that is taken. */
export class Conflict extends DomainError {
  readonly status = 409;
}

/** 422 without `errors`: a business rule stands against it. */
export class RuleViolated extends DomainError {
  readonly status = 422;
}

/** 422 with `errors`: the named fields are at fault. */
export class ValidationFailed extends DomainError {
  readonly status = 422;
  override readonly error = 'ValidationError';
  constructor(override readonly errors: FieldErrors) {
    super('The given data was invalid.');
  }
}

/** 403: the action is not allowed, whoever asks. */
export class Forbidden extends DomainError {
  readonly status: number = 403;
  override readonly error = 'Forbidden';
}

/** 401: no, a wrong or an expired token. Its body carries `error` and `message` alone. */
export class Unauthorized extends DomainError {
  readonly status = 401;
  override readonly error = 'Unauthorized';
  constructor() {
    super('Unauthenticated.');
  }
}

/** 403 of the authentication layer: the token lacks a permission. Its body carries `error` and `message` alone. */
export class PermissionMissing extends Forbidden {
  constructor(permission: string) {
    super(`This token lacks the permission ${permission}.`);
  }
}

/** 429. */
export class TooManyRequests extends DomainError {
  readonly status = 429;
  override readonly error = 'TooManyRequests';
  constructor() {
    super('Too Many Attempts.');
  }
}

/** 405: the path exists, the method does not. `allow` goes into the `Allow` header. */
export class MethodNotAllowed extends DomainError {
  readonly status = 405;
  constructor(readonly allow: readonly string[]) {
    super('The method is not allowed for this path.');
  }
}

/** 400, 413, 415: the request as such cannot be read. */
export class BadRequest extends DomainError {
  constructor(
    readonly status: 400 | 413 | 415,
    message: string,
  ) {
    super(message);
  }
}
