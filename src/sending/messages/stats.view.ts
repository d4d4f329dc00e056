import { is, type Schema, view } from '../../platform/http/index.js';
import { COUNTED, type Counts } from './stats.queries.js';

/** The counts of a campaign and of its steps. */
export interface CampaignStats {
  readonly enrollments: object;
  readonly messages: Counts;
  readonly steps: readonly (Counts & { readonly step_id: number; readonly position: number })[];
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
    enrollments: is.shape('EnrollmentCounts', {
      pending: is.integer,
      in_progress: is.integer,
      completed: is.integer,
      failed: is.integer,
      unsubscribed: is.integer,
    }),
    messages: is.shape('MessageCounts', countsShape),
    steps: is.arrayOf(is.shape('StepCounts', { step_id: is.id, position: is.integer, ...countsShape })),
  },
  ({ enrollments, messages, steps }: CampaignStats) => ({
    enrollments,
    messages: withRates(messages),
    steps: steps.map((step) => ({ step_id: step.step_id, position: step.position, ...withRates(step) })),
  }),
);
