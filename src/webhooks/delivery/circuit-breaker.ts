/** Failed attempts in a row that make a webhook inactive (API v1, "Limits"). */
export const FAILURES_TO_DISABLE = 10;

/**
 * Attempts to one webhook at a time while it is well. All of them may be on their way when it goes down, and each counts:
 * with four, and the pauses after them, an outage of five minutes makes at most five failures.
 */
export const MAX_CONCURRENT_ATTEMPTS = 4;

const JITTER = 0.2;

/** Gives a number from 0 to below 1. */
export type Random = () => number;

/** When deliveries are tried again, and how long a failing webhook is left alone; all in seconds. */
export interface Schedules {
  /** Before each retry of a delivery. */
  readonly retries: readonly number[];
  /** Between attempts to a failing webhook, by its failures in a row. */
  readonly probes: readonly number[];
}

/** What a failed attempt says about the next one. */
export interface Failure {
  /** Failed attempts, this one included: of the delivery, or of the webhook in a row. */
  readonly failures: number;
  /** Seconds that the receiver asked for (RFC 9110, 10.2.3). */
  readonly retry_after?: number | undefined;
}

/** Seconds until a delivery is tried again, or undefined when that was its last attempt (API v1, "Webhook activity"). */
export function retryDelay({ retries }: Schedules, failure: Failure, random: Random): number | undefined {
  const seconds = retries[failure.failures - 1];
  return seconds === undefined ? undefined : pause(seconds, failure, random);
}

/** Seconds in which nothing is attempted at a failing webhook; 0 where the pauses are turned off. */
export function openDelay({ probes }: Schedules, failure: Failure, random: Random): number {
  return pause(probes[Math.min(failure.failures, probes.length) - 1] ?? 0, failure, random);
}

/** What the receiver asks for may double a pause, and never shortens it. */
function pause(seconds: number, { retry_after: requested = 0 }: Failure, random: Random): number {
  const wanted = Math.min(Math.max(seconds, requested), 2 * seconds);
  return wanted * (1 - JITTER + 2 * JITTER * random());
}

/**
 * How many attempts to one webhook may be on their way: one after a failure, and one more with each success. It begins
 * with one, so that a webhook that has just come back, or goes down while nothing was sent, is met gently.
 */
export class CircuitBreaker {
  private limit = 1;

  get concurrency(): number {
    return this.limit;
  }

  succeeded(): void {
    this.limit = Math.min(this.limit + 1, MAX_CONCURRENT_ATTEMPTS);
  }

  failed(): void {
    this.limit = 1;
  }
}
