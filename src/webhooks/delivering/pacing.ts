/** Failed attempts in a row that make a webhook inactive (API v1, "Limits"). */
export const FAILURES_TO_DISABLE = 10;

/**
 * Attempts to one webhook at a time while it is well. All of them may be on their way when it goes down, and each counts:
 * with four, and the pauses after them, an outage of five minutes makes at most five failures.
 */
export const MOST_AT_ONCE = 4;

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
export function probeDelay({ probes }: Schedules, failure: Failure, random: Random): number {
  return pause(probes[Math.min(failure.failures, probes.length) - 1] ?? 0, failure, random);
}

/** What the receiver asks for may double a pause, and never shortens it. */
function pause(seconds: number, { retry_after: asked = 0 }: Failure, random: Random): number {
  const wanted = Math.min(Math.max(seconds, asked), 2 * seconds);
  return wanted * (1 - JITTER + 2 * JITTER * random());
}

/**
 * How many attempts to one webhook may be on their way: one after a failure, and one more with each success. It begins
 * with one, so that a webhook that has just come back, or goes down while nothing was sent, is met gently.
 */
export class Pace {
  private most = 1;

  get atOnce(): number {
    return this.most;
  }

  succeeded(): void {
    this.most = Math.min(this.most + 1, MOST_AT_ONCE);
  }

  failed(): void {
    this.most = 1;
  }
}
