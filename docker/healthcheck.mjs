// Exits with 0 if the process can do its work: `/health/ready` of METRICS_PORT, which the image sets, or else of the API. Of a
// worker it asks `/health/work`: while the database is away, a worker is not ready, but healthy. If it were replaced, the
// results of sent messages in its memory would be lost. A worker without METRICS_PORT has no port, so it is healthy as long as
// its process runs.
import { setTimeout as pause } from 'node:timers/promises';

const { METRICS_PORT, PORT, ROLE } = process.env;
const isWorker = ROLE === 'worker';
/** Less than the time limit of the check, so that its log says what was wrong. */
const TIMEOUT_MS = 10_000;

async function check(url) {
  const response = await fetch(url);
  return response.ok ? undefined : `${response.status} ${await response.text()}`;
}

const port = METRICS_PORT || (isWorker ? undefined : PORT || 3000);
if (port) {
  const url = `http://127.0.0.1:${port}/health/${isWorker ? 'work' : 'ready'}`;
  const checked = check(url).catch((error) => error.cause?.message ?? error.message);
  const problem = await Promise.race([checked, pause(TIMEOUT_MS, 'no response in time')]);
  if (problem !== undefined) console.error(`${url}: ${problem}`);
  process.exit(problem === undefined ? 0 : 1);
}
