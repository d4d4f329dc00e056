import { countMessages, type Outcome } from '../metrics/index.js';
import type { SendDecision, UntakenSend } from './send-decision.js';

/** Undefined: the message is back in the queue as it was, or belongs to another worker. */
const OUTCOME_OF: Readonly<Record<Exclude<SendDecision['kind'], 'untaken'>, Outcome | undefined>> = {
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
  cancelled: 'cancelled',
  lost: undefined,
};

export function countDecision(decision: SendDecision): void {
  const outcome = decision.kind === 'untaken' ? untaken(decision) : OUTCOME_OF[decision.kind];
  if (outcome) countMessages(outcome);
}

const untaken = ({ minutes }: UntakenSend): Outcome => (minutes === undefined ? 'failed' : 'postponed');
