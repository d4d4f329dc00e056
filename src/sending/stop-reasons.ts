import type { StopReason } from './dispatch/preflight.queries.js';
import type { SendDecision } from './results/index.js';
import { afterStop, isWaitReason, type WaitReason } from './rules/index.js';

/** What becomes of a message that the preflight check stops for a reason that is none of a rule. */
const OTHER_STOPS: Readonly<Record<Exclude<StopReason, WaitReason>, SendDecision>> = {
  // It is not this worker's any more.
  lost: { kind: 'lost' },
  // It is due at once: the next claim finds out what has changed.
  'contact busy': { kind: 'stopped' },
  // It is never sent.
  bounced: { kind: 'cancelled', reason: 'bounced' },
  blacklisted: { kind: 'cancelled', reason: 'blacklisted' },
  complained: { kind: 'cancelled', reason: 'unsubscribed' },
  unsubscribed: { kind: 'cancelled', reason: 'unsubscribed' },
  ended: { kind: 'cancelled', reason: 'skipped' },
};

/** Returns what becomes of a claimed message that the preflight check stops: for the reason of a rule it waits. */
export function decisionAfter(stop: StopReason): SendDecision {
  if (!isWaitReason(stop)) return OTHER_STOPS[stop];
  return afterStop(stop) === 'waiting' ? { kind: 'waiting', reason: stop } : { kind: 'stopped' };
}
