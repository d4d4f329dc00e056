import { notBefore } from '@outreach/time-windows';
import { sql } from '../../../platform/database/index.js';
import type { EnrollmentRule } from '../rule.js';

interface StepFacts {
  /** The enrollment has no step, because its campaign has none. */
  readonly lacks_step?: boolean | undefined;
}

/** The campaign has no step to send. */
export const noStep: EnrollmentRule<StepFacts, 'no_step'> = {
  /** The campaign has no step. Add one, and start the campaign. */
  reason: 'no_step',
  level: 'enrollment',
  enrolled: (scope) => sql`enrollment.current_step_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM campaign_steps step
    WHERE step.workspace_id = ${scope} AND step.campaign_id = campaign.id) AS lacks_step`,
  timing: ({ lacks_step: lacksStep }) => (lacksStep ? notBefore('no_step', null) : null),
};
