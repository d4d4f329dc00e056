import { notBefore } from '../earliest-instant.js';
import type { EnrollmentRule } from '../rule.js';

interface ResultFacts {
  /** It is unknown whether the message of the step was sent. */
  readonly is_unknown?: boolean | undefined;
}

/** A retry of the message, or a move of the enrollment, ends the wait. */
export const resultUnknown: EnrollmentRule<ResultFacts, 'result_unknown'> = {
  /** The result of its message is `unknown`: retry the message, or move the contact to another step. */
  reason: 'result_unknown',
  level: 'enrollment',
  timing: ({ is_unknown: isUnknown }) => (isUnknown ? notBefore('result_unknown', null) : null),
};
