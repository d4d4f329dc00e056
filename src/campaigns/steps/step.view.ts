import { is, timestamp, view } from '../../platform/http/index.js';
import type { Step } from './step.entity.js';

/** A step in responses. */
export const stepView = view(
  'Step',
  {
    id: is.id,
    campaign_id: is.id,
    /** The place in the sequence, from 1. */
    position: is.integer,
    /**
     * The template that the text was copied from; null if there is none. Later changes of the template do not change the
     * step.
     */
    template_id: is.nullable(is.id),
    /** The subject, with variables as in a template. At most 500 characters, in one line. */
    subject: is.string,
    /** The HTML, with variables as in a template. At most 256 KB. */
    body: is.string,
    /**
     * The pause in minutes after the previous step was sent, 0 to 525,600 (a year); for the first step after the contact
     * was enrolled, or the campaign was started. A day has 1,440 minutes.
     */
    delay_minutes: is.integer,
    /** Whether it is sent as a reply to the previous message, so that mail programs show both together. */
    same_thread: is.boolean,
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (step: Step) => ({
    id: step.id,
    campaign_id: step.campaign_id,
    position: step.position,
    template_id: step.template_id,
    subject: step.subject,
    body: step.body,
    delay_minutes: step.delay_minutes,
    same_thread: step.same_thread,
    created_at: timestamp(step.created_at),
    updated_at: timestamp(step.updated_at),
  }),
);
