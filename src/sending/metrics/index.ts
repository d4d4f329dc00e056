import { Counter } from 'prom-client';
import { declareGauge } from '@outreach/metrics';

/** What became of messages: what this process has recorded. */
const OUTCOMES = [
  'sent',
  'postponed',
  'failed',
  'bounced',
  'cancelled',
  'uncertain',
  'unknown',
  'delivered',
  'complained',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const messages = new Counter({
  name: 'outreach_messages_total',
  help:
    'Results of messages that this process has recorded. A message can have several: `postponed` by temporary failures, ' +
    '`uncertain` if the connection was lost before the reply (then sent again, or `unknown`), `sent`, and later ' +
    '`delivered`, `bounced`, `failed` (another permanent failure) or `complained`; `cancelled` if it must not be sent',
  labelNames: ['outcome'] as const,
});
for (const outcome of OUTCOMES) messages.inc({ outcome }, 0);

/** Counts messages with this outcome. */
export const countMessages = (outcome: Outcome, count = 1): void => messages.inc({ outcome }, count);

export const messagesClaimed = new Counter({
  name: 'outreach_messages_claimed_total',
  help: 'Messages that this process has claimed to send them, each attempt of a message',
});

export const leasesRecovered = new Counter({
  name: 'outreach_leases_recovered_total',
  help: 'Messages whose lease was over, because their worker has died or their result is uncertain, and that this process has recovered',
});

export const enrollmentsPlanned = new Counter({
  name: 'outreach_enrollments_planned_total',
  help: 'Enrollments whose due step this process has queued as a message',
});

export const messagesDue = declareGauge({
  name: 'outreach_messages_due',
  help:
    'Queued messages that are due and not claimed, the same in every process; exact up to 10,000, estimated beyond. Of an ' +
    'account with `min_seconds_between` it is one, when its gap is over',
});

export const oldestDueSeconds = declareGauge({
  name: 'outreach_messages_oldest_due_seconds',
  help:
    'For how long the oldest of the due messages has been due; 0 if none is, the same in every process. What waits for ' +
    '`min_seconds_between` is not due',
});
