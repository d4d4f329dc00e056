import { is, timestamp, view } from '../../platform/http/index.js';
import type { Step } from './step.entity.js';

/** A step in responses. */
export const stepView = view(
  'Step',
  {
    id: is.id,
    campaign_id: is.id,
    position: is.integer,
    template_id: is.nullable(is.id),
    subject: is.string,
    body: is.string,
    delay_minutes: is.integer,
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
