import { monitorEventLoopDelay } from 'node:perf_hooks';

const NANOSECONDS_PER_MS = 1_000_000;

/** @returns for how many milliseconds at most the event loop of this process stood still during the work */
export async function maxStallOf(work: () => Promise<unknown>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await work();
  histogram.disable();
  return histogram.max / NANOSECONDS_PER_MS;
}
