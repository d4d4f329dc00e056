import { is, view } from '@outreach/http-api/responses';
import { STEP_CONDITIONS } from './step.entity.js';
import type { StepRecord } from './step-variants.queries.js';

const variantShape = is.shape('StepVariant', {
  /** Messages and statistics show it as `variant_id`. */
  id: is.id,
  /** The name, for you. At most 255 characters. */
  name: is.string,
  /** The share of the contacts that get it, relative to the weights of the other variants: 0 to 100. 0 means none. */
  weight: is.integer,
  /** The subject; null means that of the step. */
  subject: is.nullable(is.string),
  /** The HTML; null means that of the step. */
  body: is.nullable(is.string),
});

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
    /**
     * A condition on the opens and clicks of people in the messages of earlier steps; null if there is none. It is evaluated
     * once, when the step is due: where it does not hold, the contact goes on with the next step, whose delay counts from
     * then. Where nothing was sent before, `opened` and `clicked` do not hold.
     */
    only_if: is.nullable(is.oneOf(STEP_CONDITIONS)),
    /**
     * The names of variables without which the step is not sent: fields of contacts, and custom fields as templates name
     * them. While a contact has no value for one of them, its message waits with the reason `missing_variable`; a change of
     * the contact releases it. `0` and `false` are values, white space alone is none.
     */
    required_variables: is.arrayOf(is.string),
    /**
     * Other texts of the step, 0 to 5. With any, the text of the step itself is not sent: each contact gets one of the
     * variants, which is drawn once, by weight, and stays.
     */
    variants: is.arrayOf(variantShape),
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (step: StepRecord) => ({
    variants: step.variants.map(({ id, name, weight, subject, body }) => ({ id, name, weight, subject, body })),
  }),
);
