import { HttpException } from '@nestjs/common';
import { BadRequest, DomainError, limitErrors, NotFound, PermissionMissing, Unauthorized } from '@outreach/http-errors';
import { jsonSyntaxError } from '@outreach/untrusted-json';

/** The status and the JSON body of an error. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: object;
}

/** Returns the response to anything that was thrown. An unexpected error is a 500 whose body contains no details. */
export function responseTo(thrown: unknown): ErrorResponse {
  const error = asDomainError(thrown);
  if (!error) {
    const body = {
      error: 'InternalServerError',
      message: 'Something went wrong on our side.',
      errors: null,
      code: 500,
    };
    return { status: 500, body };
  }
  if (error instanceof Unauthorized || error instanceof PermissionMissing) {
    return { status: error.status, body: { error: error.error, message: error.message } };
  }
  const { status, message, reason } = error;
  const errors = error.errors && limitErrors(error.errors);
  return { status, body: { error: error.error, message, errors, code: status, ...(reason ? { reason } : {}) } };
}

/** Errors of Express and its body parsers have a `status`; Nest wraps some of them in an `HttpException`. */
function asDomainError(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  switch (statusOf(thrown)) {
    case 400:
      return (
        malformedJson(thrown) ?? new BadRequest(400, 'The request could not be read: malformed JSON or form data.')
      );
    case 404:
      return new NotFound();
    case 413:
      return new BadRequest(413, 'The request body is too large.');
    case 415:
      return new BadRequest(415, 'The media type of the request body is not supported.');
    default:
      return undefined;
  }
}

/** The error of Express for a text that `JSON.parse` refuses has the text. */
function malformedJson(thrown: unknown): BadRequest | undefined {
  const text = thrown instanceof SyntaxError && 'body' in thrown && thrown.body;
  const found = typeof text === 'string' && jsonSyntaxError(text);
  if (!found) return undefined;
  const { line, column, expected, isAtEnd } = found;
  const ending = isAtEnd ? ', but the body ends' : '';
  return new BadRequest(
    400,
    `The body is not valid JSON: at line ${line}, column ${column}, expected ${expected}${ending}.`,
  );
}

function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (typeof thrown !== 'object' || thrown === null || !('status' in thrown)) return undefined;
  return typeof thrown.status === 'number' ? thrown.status : undefined;
}
