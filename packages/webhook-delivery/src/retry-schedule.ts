/** Failed attempts in a row that make a webhook inactive. */
export const FAILURES_TO_DISABLE = 10;

const JITTER = 0.2;

/** Returns a number from 0 to less than 1. */
export type Random = () => number;

/** All in seconds. */
export interface RetrySchedules {
  /** Before each retry of a delivery. */
  readonly retries: readonly number[];
  /** How long the circuit of a webhook stays open, by the number of its failures in a row. */
  readonly probes: readonly number[];
}

/** A failed attempt, before the next one is scheduled. */
export interface FailedAttempt {
  /** Failed attempts including this one: those of the delivery, or those of the webhook in a row. */
  readonly failures: number;
  /** Seconds that the receiver asked to wait (`Retry-After`, RFC 9110, 10.2.3). */
  readonly retry_after?: number | undefined;
}

/**
 * Returns the seconds until the next attempt at a delivery, or undefined after the last one.
 */
export function retryDelay({ retries }: RetrySchedules, attempt: FailedAttempt, random: Random): number | undefined {
  const seconds = retries[attempt.failures - 1];
  return seconds === undefined ? undefined : withJitter(seconds, attempt, random);
}

/** Returns the seconds for which the circuit of a failing webhook stays open; 0 if the schedule is turned off. */
export function openDelay({ probes }: RetrySchedules, attempt: FailedAttempt, random: Random): number {
  return withJitter(probes[Math.min(attempt.failures, probes.length) - 1] ?? 0, attempt, random);
}

/** `Retry-After` can make a pause up to twice as long, and never shortens it. */
function withJitter(seconds: number, { retry_after: requested = 0 }: FailedAttempt, random: Random): number {
  const pause = Math.min(Math.max(seconds, requested), 2 * seconds);
  return pause * (1 - JITTER + 2 * JITTER * random());
}
