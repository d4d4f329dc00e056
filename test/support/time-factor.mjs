// How much slower this machine is than a usual one at this moment. All waits and limits of tests are multiplied by it.
import { createHash } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';

/** What {@link fixedWork} takes on two idle cores of the usual kind. */
const USUAL_MS = 30;

/** A fixed piece of work of the kinds that tests do: it parses, compares, allocates and computes. */
function fixedWork() {
  const rows = Array.from({ length: 2_000 }, (_, id) => ({
    id,
    email: `person${id}@example.com`,
    tags: [id % 7, id % 11],
  }));
  for (let round = 0; round < 40; round++) {
    const parsed = JSON.parse(JSON.stringify(rows));
    parsed.sort((one, other) => one.tags[0] - other.tags[0] || other.id - one.id);
    createHash('sha256').update(JSON.stringify(parsed)).digest('hex');
  }
}

/** @returns {number} 1 on a usual idle machine, more on one that is slower or has other work; with one decimal */
export function measureTimeFactor() {
  fixedWork();
  const startedAt = performance.now();
  fixedWork();
  const slowness = (performance.now() - startedAt) / USUAL_MS;
  const load = loadavg()[0] / availableParallelism();
  return Math.round(10 * Math.max(1, slowness, load)) / 10;
}

/** The factor of this run: measured once, when the run begins, and inherited by all of its processes. */
export function timeFactor() {
  process.env.TEST_TIME_FACTOR ??= String(measureTimeFactor());
  return Number(process.env.TEST_TIME_FACTOR);
}
