import type { StopReason } from './dispatch/preflight.queries.js';
import type { SendDecision } from './results/index.js';

/** What becomes of a claimed message that the preflight check stops, or a step before, by the reason. */
export const STOPS: Readonly<Record<StopReason | 'variable missing' | 'outside schedule', SendDecision>> = {
  // It is not this worker's any more.
  lost: { kind: 'lost' },
  // It waits, and is claimed again when the reason is over.
  'variable missing': { kind: 'waiting' },
  'outside schedule': { kind: 'waiting' },
  paused: { kind: 'waiting' },
  absent: { kind: 'waiting' },
  'recent message': { kind: 'waiting' },
  'new contact': { kind: 'new contact' },
  // It is due at once: the next claim finds out what has changed.
  'day ended': { kind: 'stopped' },
  'account changed': { kind: 'stopped' },
  'contact busy': { kind: 'stopped' },
  // It is never sent.
  bounced: { kind: 'cancelled', reason: 'bounced' },
  blacklisted: { kind: 'cancelled', reason: 'blacklisted' },
  complained: { kind: 'cancelled', reason: 'unsubscribed' },
  unsubscribed: { kind: 'cancelled', reason: 'unsubscribed' },
  ended: { kind: 'cancelled', reason: 'skipped' },
};
