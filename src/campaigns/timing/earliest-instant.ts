/** Why a message is not sent sooner: the `reason` of a waiting message, and `waiting_for` of its enrollment. */
export const WAIT_REASONS = [
  /** The campaign has not been started yet. */
  'draft',
  /** The campaign has no step. Add one, and start the campaign. */
  'no_step',
  /** The campaign is paused. */
  'paused',
  /** The schedule of the campaign is closed. */
  'outside_schedule',
  /** The contact is away. */
  'out_of_office',
  /** The contact is paused. */
  'contact_paused',
  /** The email account is switched off, or the campaign has none. */
  'account_inactive',
  /** The email account has reached a limit of its provider. */
  'provider_limit',
  /** The email account has reached its own limit of the day. */
  'daily_limit',
  /** The last message of the email account is too recent. */
  'min_seconds_between',
  /** The campaign has written to as many new contacts as it may on this day. */
  'max_new_contacts',
  /** The last message to the contact is too recent. */
  'min_days_since_last_message',
  /** A required variable is empty. */
  'missing_variable',
  /** The last attempt to send it has failed, and is repeated. */
  'temporary_failure',
  /** The connection was lost, and the sent mail of the account shows whether it was sent. */
  'checking_sent_mail',
  /** The result of its message is `unknown`: retry the message, or move the contact to another step. */
  'result_unknown',
] as const;
/** Why a message waits. */
export type WaitReason = (typeof WAIT_REASONS)[number];

/** A limit of when a message may be sent. */
export interface TimingRule {
  readonly reason: WaitReason;
  /** Returns the first instant, not before `instant`, that the rule allows; null if none is known. Pure. */
  readonly next: (instant: Date) => Date | null;
}

/** A rule that allows nothing before an instant; nothing at all if that is null. */
export const notBefore = (reason: WaitReason, start: Date | null): TimingRule => ({
  reason,
  next: (instant) => (start !== null && start < instant ? instant : start),
});

/** When a message may be sent, and why not sooner. */
export interface EarliestInstant {
  /** Null if that is not known: something has to change first. */
  readonly at: Date | null;
  /** The rule that decided last; null if the message may be sent at the instant from which was asked. */
  readonly reason: WaitReason | null;
}

/** Rules that allow no common instant within this many steps, e.g. a holiday on each day of a schedule, have none. */
const MAX_STEPS = 1_000;

/**
 * Returns the first instant, not before `from`, that all rules allow at the same time. Each rule that moves the instant
 * may close another one, so they are asked until none moves it.
 */
export function earliestInstant(from: Date, rules: readonly TimingRule[]): EarliestInstant {
  let at = from;
  let reason: WaitReason | null = null;
  for (let step = 0; step < MAX_STEPS; step++) {
    const closed = rules.map((rule) => ({ rule, next: rule.next(at) })).find(({ next }) => next === null || next > at);
    if (!closed) return { at, reason };
    reason = closed.rule.reason;
    if (closed.next === null) return { at: null, reason };
    at = closed.next;
  }
  return { at: null, reason };
}
