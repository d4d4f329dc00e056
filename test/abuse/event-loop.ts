import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const NANOSECONDS_PER_MS = 1_000_000;
/** The delay of a stall is recorded at the first tick after it. */
const TICK_MS = 5;

/** @returns for how many milliseconds at most the event loop of this process stood still during the work */
export async function maxStallOf(work: () => Promise<unknown>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await sleep(TICK_MS);
  await work();
  await sleep(TICK_MS);
  histogram.disable();
  return histogram.max / NANOSECONDS_PER_MS;
}
