import { onConstraint, onErrorCode } from '@outreach/database';
import { Conflict, defineReason, type DomainError, RuleViolated, ValidationFailed } from '@outreach/http-errors';

const REFERENCE_DELETED = defineReason(
  'reference_deleted',
  409,
  'A record that the request refers to was deleted while the request ran.',
);
const VALUE_TOO_LARGE = defineReason('value_too_large', 422, 'A value is too large to be stored.');

const notStorable = (): DomainError =>
  new ValidationFailed({ body: ['The text contains characters that cannot be stored.'] });

// A record that the request refers to has been deleted in the meantime.
onErrorCode('23503', () => new Conflict(REFERENCE_DELETED, 'The request refers to a record that no longer exists.'));
// The text is not valid in the encoding of the database.
onErrorCode('22021', notStorable);
onErrorCode('22P05', notStorable);
// An index row or a statement exceeds a limit of PostgreSQL.
onErrorCode('54000', () => new RuleViolated(VALUE_TOO_LARGE, 'A value is too large to be stored.'));

/**
 * Declares the error that the client gets when a statement violates the named constraint. The constraint is the check:
 * there is no SELECT before the write.
 */
export const onViolation: (constraint: string, error: () => DomainError) => void = onConstraint;
