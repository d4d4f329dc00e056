import { notBefore } from '@outreach/time-windows';
import { sql } from '../../../platform/database/index.js';
import { type ContactRule, effect } from '../rule.js';
import { lacksVariable, MISSING_VARIABLE, releaseOfStep, selectLacking } from './required-variables.queries.js';

interface VariableFacts {
  /** The contact has no value for a required variable of the step. */
  readonly lacks_variable?: boolean | null;
}

/** A message waits until its contact has a value for each required variable of its step. */
export const requiredVariables: ContactRule<VariableFacts, typeof MISSING_VARIABLE> = {
  /** A required variable is empty. */
  reason: MISSING_VARIABLE,
  level: 'contact',
  timing: (_, { lacks_variable: lacks }) => (lacks ? notBefore(MISSING_VARIABLE, null) : null),
  facts: {
    select: selectLacking,
    columns: sql`missing_variable.lacks_variable`,
    isChanging: () => sql`recipient.has_requirements AND missing_variable.contact_id IS NULL`,
  },
  claimed: () => sql`coalesce(${lacksVariable}, FALSE) AS lacks_variable`,
  isOfStep: true,
  isReleasedByChange: true,
  effects: [effect('step.requirements_changed', (scope, { step_id: id }) => releaseOfStep(scope, id))],
};
