import { notBefore } from '@outreach/time-windows';
import type { CampaignFacts, EnrollmentRule } from '../rule.js';

/** The campaign has not been started yet. It may get its steps later. */
export const draft: EnrollmentRule<Pick<CampaignFacts, 'status'>, 'draft'> = {
  /** The campaign has not been started yet. */
  reason: 'draft',
  level: 'enrollment',
  timing: ({ status }) => (status === 'draft' ? notBefore('draft', null) : null),
};
