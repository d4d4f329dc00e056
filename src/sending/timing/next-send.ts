import { earliestInstant, notBefore, type TimingRule } from '@outreach/time-windows';
import { type NextSend, NOTHING_TO_SEND } from '../../campaigns/index.js';
import {
  type AccountFacts,
  accountRules,
  type CampaignFacts,
  type ContactFacts,
  contactRules,
  NO_ACCOUNT,
  isWaitReason,
  type StartFacts,
  startRules,
} from '../rules/index.js';

/** What decides when the next message of a running enrollment is sent. */
export interface EnrollmentFacts extends Omit<StartFacts, 'status'> {
  readonly contact: ContactFacts;
  /** When its step is due; null if its message is queued, or if it has no step. */
  readonly due_at: Date | null;
  /** Its step is due, and `due_at` is when the window of its contact opens. */
  readonly is_postponed?: boolean;
  /** The message of its step, if it is queued. */
  readonly message: QueuedFacts | null;
  /** The accounts of which one sends the message: that of the enrollment, or those of the rotation. */
  readonly accounts: readonly AccountFacts[];
}

/** What decides when a queued message is sent. */
export interface QueuedFacts {
  readonly is_sending: boolean;
  readonly reason: string | null;
  /** Null for a message that waits for a change. */
  readonly next_attempt_at: Date | null;
}

/** Returns when the next message of a running enrollment is sent, and why not sooner. */
export function nextSend(campaign: CampaignFacts, enrollment: EnrollmentFacts, now: Date): NextSend {
  const { message, due_at: due } = enrollment;
  const planned = message ? message.next_attempt_at : due;
  const reason = waitReason(message?.reason ?? null);
  if (message?.is_sending) return { next_send_at: reason ? null : planned, waiting_for: reason };
  const blocked = startRules({ ...campaign, ...enrollment });
  if (!message && !due && blocked.length === 0) return NOTHING_TO_SEND;
  // A time without a reason is that of the delay.
  const hasDelay = reason === null && !enrollment.is_postponed;
  const from = planned && planned > now && hasDelay ? planned : now;
  const rules = [
    ...blocked,
    ...(reason ? [notBefore(reason, planned)] : []),
    ...contactRules(campaign, enrollment.contact),
  ];
  const { at, reason: waitingFor } = earliestInstant(from, [...rules, ...senderRules(enrollment.accounts, from)]);
  return { next_send_at: waitingFor === null ? planned : at, waiting_for: waitingFor };
}

const waitReason = (reason: string | null) => (reason !== null && isWaitReason(reason) ? reason : null);

/** The rules of the account that can send first. Without one, nothing is sent. */
function senderRules(accounts: readonly AccountFacts[], from: Date): readonly TimingRule[] {
  let first: { readonly at: number; readonly rules: readonly TimingRule[] } | undefined;
  for (const account of accounts) {
    const rules = accountRules(account);
    const at = earliestInstant(from, rules).at?.getTime() ?? Infinity;
    if (at === from.getTime()) return rules;
    if (!first || at < first.at) first = { at, rules };
  }
  return first?.rules ?? [NO_ACCOUNT];
}
