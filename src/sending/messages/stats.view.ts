import { is, type Schema, view } from '@outreach/http-api/responses';
import { COUNTED, type Counts, type VariantCounts } from './stats.queries.js';

/** The counts of a campaign and of its steps. */
export interface CampaignStats {
  readonly enrollments: object;
  readonly messages: Counts;
  readonly steps: readonly (Counts & { readonly step_id: number; readonly position: number })[];
  readonly variants: readonly VariantCounts[];
}

const rate: Schema = { type: 'number', minimum: 0, maximum: 1 };
const countsShape = {
  ...Object.fromEntries(COUNTED.map((name) => [name, is.integer])),
  open_rate: rate,
  click_rate: rate,
  reply_rate: rate,
  bounce_rate: rate,
};

function withRates(counts: Counts): object {
  const ofSent = (count: number): number => (counts.sent === 0 ? 0 : Math.min(1, count / counts.sent));
  return {
    ...Object.fromEntries(COUNTED.map((name) => [name, counts[name]])),
    open_rate: ofSent(counts.opened),
    click_rate: ofSent(counts.clicked),
    reply_rate: ofSent(counts.replied),
    bounce_rate: ofSent(counts.bounced),
  };
}

export const campaignStatsView = view(
  'CampaignStats',
  {
    /** The enrollments by status. */
    enrollments: is.shape('EnrollmentCounts', {
      /** Enrollments to which nothing was sent yet. */
      pending: is.integer,
      /** Enrollments that have got a step and wait for the next one. */
      in_progress: is.integer,
      /** Enrollments that have got all steps, or whose contact has replied. */
      completed: is.integer,
      /** Enrollments that ended because a message could not be delivered, or the address is on the blacklist. */
      failed: is.integer,
      /** Enrollments whose contact has unsubscribed or complained. */
      unsubscribed: is.integer,
    }),
    /** The messages of all steps. */
    messages: is.shape('MessageCounts', countsShape),
    /** The messages by step, in the order of the steps. */
    steps: is.arrayOf(
      is.shape('StepCounts', {
        /** The ID of the step. */
        step_id: is.id,
        /** The place of the step in the sequence, from 1. */
        position: is.integer,
        ...countsShape,
        /**
         * The messages by variant, in the order of the variants. Those of variants that were removed count for the step alone.
         */
        variants: is.arrayOf(
          is.shape('VariantCounts', {
            /** The ID of the variant. */
            variant_id: is.id,
            /** The name of the variant. */
            name: is.string,
            ...countsShape,
          }),
        ),
      }),
    ),
  },
  ({ enrollments, messages, steps, variants }: CampaignStats) => ({
    enrollments,
    messages: withRates(messages),
    steps: steps.map((step) => ({
      step_id: step.step_id,
      position: step.position,
      ...withRates(step),
      variants: variants
        .filter((variant) => variant.step_id === step.step_id)
        .map((variant) => ({ variant_id: variant.variant_id, name: variant.name, ...withRates(variant) })),
    })),
  }),
);
