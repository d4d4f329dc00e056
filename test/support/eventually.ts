import { setTimeout as pause } from 'node:timers/promises';

/** How much slower this machine is than a usual one: `time-factor.mjs`, which `jest.config.js` calls. */
export const TIME_FACTOR = Number(process.env.TEST_TIME_FACTOR ?? 1);

/** How often a condition is checked at first, and in a long wait: a wait must not use up the processor that it waits for. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [20, 250];

/** A condition that did not become true. Its message says what was waited for, and what was seen last. */
class WaitTimedOut extends Error {
  constructor(check: () => unknown, seconds: number, last: unknown) {
    const seen = last instanceof Error ? last.message : String(last);
    super(`Waited ${seconds} s for\n  ${String(check)}\nSeen last:\n${seen}`, { cause: last });
  }
}

/**
 * Repeats `check` until it passes. Its limit only ends a wait that would last for ever: no test measures time with it.
 * @param seconds the limit on a usual machine; it is multiplied by the factor of the run
 * @returns the result of `check`
 * @throws WaitTimedOut with the last error of `check`
 */
export async function eventually<T>(check: () => Promise<T> | T, seconds = 120): Promise<T> {
  const limit = seconds * TIME_FACTOR;
  const deadline = performance.now() + limit * 1_000;
  for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(1.1 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw new WaitTimedOut(check, limit, error);
      await pause(pauseMs);
    }
  }
}
