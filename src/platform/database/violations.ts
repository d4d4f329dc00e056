import { DatabaseError } from 'pg';
import { Conflict, type DomainError, RuleViolated, ValidationFailed } from '../errors/index.js';

/** A statement took longer than its transaction allows, see `Database.transactionWithin`. */
export class StatementTimedOut extends Error {
  constructor() {
    super('The statement took longer than it may.');
  }
}

const errorsByConstraint = new Map<string, () => DomainError>();

/**
 * Says what the violation of a named constraint means to the client: the constraint is the check, and this is the one
 * place that turns it into an answer.
 */
export function onViolation(constraint: string, error: () => DomainError): void {
  errorsByConstraint.set(constraint, error);
}

/** The domain error behind an error of the driver, or the error itself. */
export function translateViolation(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const declared = error.constraint === undefined ? undefined : errorsByConstraint.get(error.constraint);
  if (declared) return declared();
  switch (error.code) {
    case '23503': // Something that the request refers to was deleted in the meantime.
      return new Conflict('The request refers to a record that no longer exists.');
    case '22021': // Not valid in the database's encoding.
    case '22P05':
      return new ValidationFailed({ body: ['The text holds characters that cannot be stored.'] });
    case '57014':
      return new StatementTimedOut();
    case '54000': // An index row or a statement grew over the database's own limits.
      return new RuleViolated('A value is too large to be stored.');
    default:
      return error;
  }
}

/** Whether running the transaction once more may succeed: a deadlock or a serialization failure. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '40P01' || error.code === '40001');
