import { DatabaseError } from 'pg';
import { Conflict, type DomainError, RuleViolated, ValidationFailed } from '../errors/index.js';

/** A statement exceeded the timeout of `Database.transactionWithin`. */
export class StatementTimedOut extends Error {
  constructor() {
    super('The statement exceeded its timeout.');
  }
}

const errorsByConstraint = new Map<string, () => DomainError>();

/**
 * Declares the error that the client gets when a statement violates the named constraint. The constraint is the check:
 * there is no SELECT before the write.
 */
export function onViolation(constraint: string, error: () => DomainError): void {
  errorsByConstraint.set(constraint, error);
}

/** @returns the domain error for an error of the driver; the error itself if there is none */
export function translateViolation(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const declared = error.constraint === undefined ? undefined : errorsByConstraint.get(error.constraint);
  if (declared) return declared();
  switch (error.code) {
    case '23503': // A record that the request refers to has been deleted in the meantime.
      return new Conflict('The request refers to a record that no longer exists.');
    case '22021': // The text is not valid in the encoding of the database.
    case '22P05':
      return new ValidationFailed({ body: ['The text contains characters that cannot be stored.'] });
    case '57014':
      return new StatementTimedOut();
    case '54000': // An index row or a statement exceeds a limit of PostgreSQL.
      return new RuleViolated('A value is too large to be stored.');
    default:
      return error;
  }
}

/** Whether the transaction may succeed if it runs again: after a deadlock or a serialization failure. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '40P01' || error.code === '40001');
