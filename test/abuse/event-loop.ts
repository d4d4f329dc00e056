import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

const NANOSECONDS_PER_MS = 1_000_000;

/**
 * The processor time of the main thread in milliseconds, on which other processes and threads have no effect. Linux shows
 * it as the first number of `schedstat`, with a resolution of some milliseconds; the main thread has the ID of its process.
 */
function mainThreadMs(): number {
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
  return Number(nanoseconds) / NANOSECONDS_PER_MS;
}

/** @returns for how many milliseconds of processor time at most one turn of the event loop lasted during the work */
export async function maxStallOf(work: () => Promise<unknown>): Promise<number> {
  let max = 0;
  let isOver = false;
  const observe = async (): Promise<void> => {
    let last = mainThreadMs();
    while (!isOver) {
      await nextTurn();
      const now = mainThreadMs();
      max = Math.max(max, now - last);
      last = now;
    }
  };
  const observed = observe();
  await work();
  await nextTurn();
  isOver = true;
  await observed;
  return max;
}

/** @returns how many milliseconds of processor time the main thread used during the work */
export async function mainThreadTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = mainThreadMs();
  await work();
  await nextTurn();
  return mainThreadMs() - before;
}
