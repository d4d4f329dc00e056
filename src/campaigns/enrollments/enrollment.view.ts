import { type ContactRecord, contactView } from '../../contacts/index.js';
import { is, timestamp, view } from '../../platform/http/index.js';
import type { Step } from '../steps/step.entity.js';
import { stepView } from '../steps/step.view.js';
import { type Enrollment, ENROLLMENT_STATUSES, type EnrollmentStatus } from './enrollment.entity.js';

/** An enrollment with its contact and its current step. */
export interface EnrollmentRecord extends Enrollment {
  readonly contact: ContactRecord;
  readonly current_step: Step | null;
}

/** API v1, "Enrollment". */
export const enrollmentView = view(
  'Enrollment',
  {
    id: is.id,
    campaign_id: is.id,
    contact_id: is.id,
    current_step_id: is.nullable(is.id),
    status: is.oneOf(ENROLLMENT_STATUSES),
    completed_at: is.nullable(is.timestamp),
    created_at: is.timestamp,
    updated_at: is.timestamp,
    contact: is.view(contactView),
    current_step: is.nullable(is.view(stepView)),
  },
  (enrollment: EnrollmentRecord) => ({
    id: enrollment.id,
    campaign_id: enrollment.campaign_id,
    contact_id: enrollment.contact_id,
    current_step_id: enrollment.current_step_id,
    status: enrollment.status,
    completed_at: timestamp(enrollment.completed_at),
    created_at: timestamp(enrollment.created_at),
    updated_at: timestamp(enrollment.updated_at),
    contact: contactView.toJson(enrollment.contact),
    current_step: enrollment.current_step && stepView.toJson(enrollment.current_step),
  }),
);

/** How many contacts one call enrolled and skipped. */
export interface Enrolled {
  readonly enrolled: number;
  readonly skipped: number;
}

export const enrolledView = view(
  'EnrolledContacts',
  { message: is.string, enrolled: is.integer, skipped: is.integer },
  ({ enrolled, skipped }: Enrolled) => ({
    message: `Contacts enrolled: ${enrolled}; skipped: ${skipped}.`,
    enrolled,
    skipped,
  }),
);

/** The result of a skip. The status is null if it has not changed. */
export interface Skipped {
  readonly status: Extract<EnrollmentStatus, 'completed'> | null;
  readonly current_step_id: number | null;
}

export const skippedView = view(
  'SkippedStep',
  { message: is.string, status: is.nullable(is.oneOf(['completed'])), current_step_id: is.nullable(is.id) },
  ({ status, current_step_id }: Skipped) => ({
    message: status ? 'The contact has completed the campaign.' : 'The contact was moved to the next step.',
    status,
    current_step_id,
  }),
);
