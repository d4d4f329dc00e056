import { setTimeout as pause } from 'node:timers/promises';

const interval = 5;

/** Asks until the answer is true or the milliseconds are over; gives the last answer. */
export async function becomesTrue(ask: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await ask())) {
    if (performance.now() >= deadline) return false;
    await pause(interval);
  }
  return true;
}
