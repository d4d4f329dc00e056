/** A limit of when a message may be sent. */
export interface TimingRule<Reason extends string = string> {
  readonly reason: Reason;
  /** Returns the first instant, not before `instant`, that the rule allows; null if none is known. Pure. */
  readonly next: (instant: Date) => Date | null;
}

/** A rule that allows nothing before an instant; nothing at all if that is null. */
export const notBefore = <Reason extends string>(reason: Reason, start: Date | null): TimingRule<Reason> => ({
  reason,
  next: (instant) => (start !== null && start < instant ? instant : start),
});

/** When a message may be sent, and why not sooner. */
export interface EarliestInstant<Reason extends string = string> {
  /** Null if that is not known: something has to change first. */
  readonly at: Date | null;
  /** The rule that decided last; null if the message may be sent at the instant from which was asked. */
  readonly reason: Reason | null;
}

/** Rules that allow no common instant within this many steps, e.g. a holiday on each day of a schedule, have none. */
const MAX_STEPS = 1_000;

/**
 * Returns the first instant, not before `from`, that all rules allow at the same time. Each rule that moves the instant
 * may close another one, so they are asked until none moves it.
 */
export function earliestInstant<Reason extends string>(
  from: Date,
  rules: readonly TimingRule<Reason>[],
): EarliestInstant<Reason> {
  let at = from;
  let reason: Reason | null = null;
  for (let step = 0; step < MAX_STEPS; step++) {
    const closed = rules.map((rule) => ({ rule, next: rule.next(at) })).find(({ next }) => next === null || next > at);
    if (!closed) return { at, reason };
    reason = closed.rule.reason;
    if (closed.next === null) return { at: null, reason };
    at = closed.next;
  }
  return { at: null, reason };
}
