import { notBefore } from '@outreach/time-windows';
import { sql } from '../../../platform/database/index.js';
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
  enrolled: (scope) => sql`message.id IS NULL AND due.enrollment_id IS NULL AND EXISTS (
    SELECT 1 FROM messages sent
    WHERE sent.workspace_id = ${scope} AND sent.enrollment_id = enrollment.id
      AND sent.step_id = enrollment.current_step_id AND sent.status = 'unknown') AS is_unknown`,
  timing: ({ is_unknown: isUnknown }) => (isUnknown ? notBefore('result_unknown', null) : null),
};
