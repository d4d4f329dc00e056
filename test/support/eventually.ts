import { setTimeout as pause } from 'node:timers/promises';

/** Repeats `check` until it passes. @returns its result. @throws its last error after `seconds` */
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
