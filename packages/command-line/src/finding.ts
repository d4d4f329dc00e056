import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from './reason-of.js';

/** `error`: a person has to do something. `warning`: something to know, which may be intended. */
export type FindingStatus = 'ok' | 'warning' | 'error';

/** One line of a report on checks. */
export interface Finding {
  /** What was checked, e.g. `redis`. */
  readonly check: string;
  readonly status: FindingStatus;
  readonly message: string;
  /** What to do; null if there is nothing to do. */
  readonly advice: string | null;
}

/** How long one check may take. */
export const CHECK_TIMEOUT_MS = 5_000;

/** A check returns its findings without their name. What it throws is an error, and not responding in time is one, too. */
export interface Check {
  readonly name: string;
  /** What to do if the check fails as a whole. */
  readonly advice: string;
  readonly run: () => Promise<readonly CheckOutcome[]>;
}

/** A finding without the name of its check. */
export type CheckOutcome = Omit<Finding, 'check'>;

/** What is as it should be. */
export const ok = (message: string): CheckOutcome => ({ status: 'ok', message, advice: null });
/** What may be intended. */
export const warning = (message: string, advice: string): CheckOutcome => ({ status: 'warning', message, advice });
/** What a person has to correct. */
export const failure = (message: string, advice: string): CheckOutcome => ({ status: 'error', message, advice });

/** Runs a check within its time limit. Never rejects. */
export async function runCheck({ name, advice, run }: Check): Promise<Finding[]> {
  const done = new AbortController();
  const tooLate = pause(CHECK_TIMEOUT_MS, undefined, { signal: done.signal }).then(() => {
    throw new CheckTimedOut();
  });
  try {
    const outcomes = await Promise.race([run(), tooLate]);
    return outcomes.map((outcome) => ({ check: name, ...outcome }));
  } catch (error) {
    return [{ check: name, ...failure(reasonOf(error), advice) }];
  } finally {
    done.abort();
    tooLate.catch(() => undefined);
  }
}

class CheckTimedOut extends Error {
  constructor() {
    super(`no response within ${CHECK_TIMEOUT_MS / 1000} seconds`);
  }
}
