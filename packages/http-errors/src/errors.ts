import { defineReason, type Reason } from './reasons.js';

/** Validation errors: the path of each field, as the client wrote it → messages. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The values of `error` in the body. */
export type ErrorKind =
  'ValidationError' | 'Unauthorized' | 'Forbidden' | 'HttpError' | 'TooManyRequests' | 'InternalServerError';

/**
 * An error that the client can correct. It has its HTTP status and its message, so that the code that has the rule can
 * throw it and nothing needs to translate it .
 */
export abstract class DomainError extends Error {
  abstract readonly status: number;
  readonly error: ErrorKind = 'HttpError';
  /** Null except in validation errors. */
  readonly errors: FieldErrors | null = null;
  /** A stable code for programs, beside the message for people. Every 403 of a rule, 409, 412, 422 of a rule and 503 has one. */
  readonly reason?: Reason;
}

/** An error that says for programs, too, which rule the request violates. */
abstract class ErrorWithReason extends DomainError {
  constructor(
    override readonly reason: Reason,
    message: string,
  ) {
    super(message);
  }
}

/** 404: the record does not exist, or not for this client. */
export class NotFound extends DomainError {
  readonly status = 404;
  constructor(what = 'Resource') {
    super(`${what} not found.`);
  }
}

/** 404: no operation has the path of the request. */
export class UnknownPath extends DomainError {
  readonly status = 404;
  /** @param similar the operation that is probably meant, such as `GET /v1/contacts` */
  constructor(readonly similar?: string) {
    super(`The path does not exist.${similar === undefined ? '' : ` Did you mean ${similar}?`}`);
  }
}

/** 409: the request contradicts what is stored, e.g. a name that is taken. */
export class Conflict extends ErrorWithReason {
  readonly status = 409;
}

/** 422 without `errors`: a business rule is violated. */
export class RuleViolated extends ErrorWithReason {
  readonly status = 422;
}

/** 422 with `errors`: the named fields are invalid. */
export class ValidationFailed extends DomainError {
  readonly status = 422;
  override readonly error = 'ValidationError';
  constructor(override readonly errors: FieldErrors) {
    super('The given data was invalid.');
  }
}

/** 403: the action is not allowed, even with all permissions. */
export class Forbidden extends ErrorWithReason {
  readonly status = 403;
  override readonly error = 'Forbidden';
}

/** 401: the token is missing, invalid or expired. The body has only `error` and `message`. */
export class Unauthorized extends DomainError {
  readonly status = 401;
  override readonly error = 'Unauthorized';
}

/** 403: the token lacks a permission. The body has only `error` and `message`. */
export class PermissionMissing extends DomainError {
  readonly status = 403;
  override readonly error = 'Forbidden';
  constructor(permission: string) {
    super(`This token lacks the permission ${permission}.`);
  }
}

/** 429: too many requests. */
export class TooManyRequests extends DomainError {
  readonly status = 429;
  override readonly error = 'TooManyRequests';
  /** @param retry_after_seconds when the client may repeat the request */
  constructor(readonly retry_after_seconds = 1) {
    super('Too Many Attempts.');
  }
}

const UNAVAILABLE = defineReason(
  'unavailable',
  503,
  'The database is not available, another request has locked the records, or a file cannot be stored. Repeat the request later.',
);

/**
 * 503: the database or the disk does not serve the request at the moment. The client repeats the request later. It has the type
 * of a server error; the status and the reason tell it from an unexpected one.
 */
export class ServiceUnavailable extends DomainError {
  readonly status = 503;
  override readonly error = 'InternalServerError';
  override readonly reason = UNAVAILABLE;
  constructor() {
    super('The service is not available at the moment. Repeat the request later.');
  }
}

/** 405: the path exists, but not with this method. `allow` is sent in the `Allow` header. */
export class MethodNotAllowed extends DomainError {
  readonly status = 405;
  constructor(readonly allow: readonly string[]) {
    super(`The method is not allowed for this path. It has ${allow.join(', ')}.`);
  }
}

/** 400, 408, 413, 415 or 417: the request cannot be read. */
export class BadRequest extends DomainError {
  constructor(
    readonly status: 400 | 408 | 413 | 415 | 417,
    message: string,
  ) {
    super(message);
  }
}
