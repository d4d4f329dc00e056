import { setTimeout as pause } from 'node:timers/promises';

const INTERVAL_MS = 5;

/** Polls until the condition is true or the timeout expires; returns the condition's last value. */
export async function pollUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  intervalMs = INTERVAL_MS,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await pause(intervalMs);
  }
  return true;
}
