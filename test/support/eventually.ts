import { setTimeout as pause } from 'node:timers/promises';

/** Repeats `check` until it passes and gives what it gave; after `seconds` its last failure is thrown. */
export async function eventually<T>(check: () => Promise<T> | T, seconds = 20): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(25);
    }
  }
}
