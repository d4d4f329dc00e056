import { countMessages, type Outcome } from '../metrics/index.js';
import type { SendDecision } from './send-decision.js';

/** Undefined: the message is back in the queue as it was, or belongs to another worker. */
const OUTCOME_OF: Readonly<Record<SendDecision['kind'], Outcome | undefined>> = {
  sent: 'sent',
  later: 'postponed',
  limited: 'postponed',
  failed: 'failed',
  bounced: 'bounced',
  unsendable: 'failed',
  uncertain: 'uncertain',
  stopped: undefined,
  aborted: undefined,
  waiting: undefined,
  'new contact': undefined,
  cancelled: 'cancelled',
  lost: undefined,
};

/** Counts a decision that is recorded. */
export function countDecision({ kind }: SendDecision): void {
  const outcome = OUTCOME_OF[kind];
  if (outcome) countMessages(outcome);
}
