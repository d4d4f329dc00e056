import { is, view } from '@outreach/http-api/responses';
import { type ContactRecord, contactView } from '../../contacts/index.js';
import type { StepRecord } from '../steps/step-variants.queries.js';
import { stepView } from '../steps/step.view.js';
import type { NextSend } from './enrollment-timing.js';
import { type Enrollment, ENROLLMENT_STATUSES, type EnrollmentStatus } from './enrollment.entity.js';

/** An enrollment with its contact and its current step. */
export interface EnrollmentRecord extends Enrollment, NextSend {
  readonly contact: ContactRecord;
  readonly current_step: StepRecord | null;
}

/** API v1, "Enrollment". */
export const enrollmentView = view('Enrollment', {
  id: is.id,
  /** The ID of the campaign. */
  campaign_id: is.id,
  /** The ID of the contact. */
  contact_id: is.id,
  /**
   * The step that is sent next, or the last one if the enrollment is finished; null if the campaign has no steps.
   */
  current_step_id: is.nullable(is.id),
  /** How far the contact is. */
  status: is.oneOf(ENROLLMENT_STATUSES),
  /** When the enrollment ended; null while it runs. */
  completed_at: is.nullable(is.timestamp),
  /**
   * The earliest time at which the next message can be sent, of what is known now: the delay of the step, the schedule,
   * the absence of the contact, and the limits of the account. A time in the past means that it is sent as soon as its
   * turn comes. Null if the enrollment has ended, the campaign is not active, or something has to change first.
   */
  next_send_at: is.nullable(is.timestamp),
  /** Why the next message is not sent sooner; null if only the delay of its step is the reason. */
  waiting_for: is.nullable(is.enumOf('WaitReason')),
  created_at: is.timestamp,
  updated_at: is.timestamp,
  /** The contact, with its tags and lists. */
  contact: is.view(contactView),
  /** The step with the ID `current_step_id`. */
  current_step: is.nullable(is.view(stepView)),
});

/** An enrollment without what is read or computed from other records. */
export const enrollmentProgressView = view('EnrollmentProgress', {
  id: is.id,
  /** The ID of the campaign. */
  campaign_id: is.id,
  /** The ID of the contact. */
  contact_id: is.id,
  /** The step that is sent next, or the last one if the enrollment is finished; null if the campaign has no steps. */
  current_step_id: is.nullable(is.id),
  /** How far the contact is. */
  status: is.oneOf(ENROLLMENT_STATUSES),
  /** When the enrollment ended; null while it runs. */
  completed_at: is.nullable(is.timestamp),
  created_at: is.timestamp,
  updated_at: is.timestamp,
});

/** How many contacts one call enrolled and skipped. */
export interface Enrolled {
  readonly enrolled: number;
  readonly skipped: number;
}

export const enrolledView = view(
  'EnrolledContacts',
  {
    /** The result in a sentence, for people. */
    message: is.string,
    /** How many contacts are enrolled now that were not before. */
    enrolled: is.integer,
    /**
     * How many were not enrolled, because they are already, because their status is not `active`, or because of
     * `skip_running_elsewhere`.
     */
    skipped: is.integer,
  },
  ({ enrolled, skipped }: Enrolled) => ({ message: `Contacts enrolled: ${enrolled}; skipped: ${skipped}.` }),
);

/** The result of a skip. The status is null if it has not changed. */
export interface Skipped {
  readonly status: Extract<EnrollmentStatus, 'completed'> | null;
  readonly current_step_id: number | null;
}

export const skippedView = view(
  'SkippedStep',
  {
    /** The result in a sentence, for people. */
    message: is.string,
    /** `completed` if the skipped step was the last one; null if the status has not changed. */
    status: is.nullable(is.oneOf(['completed'])),
    /** The step that is sent next; null if the skipped one was the last one. */
    current_step_id: is.nullable(is.id),
  },
  ({ status }: Skipped) => ({
    message: status ? 'The contact has completed the campaign.' : 'The contact was moved to the next step.',
  }),
);
