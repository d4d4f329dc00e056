// Exits with 0 if the process can do its work: `/health/ready` of METRICS_PORT, which the image sets, or else of the API.
// A worker without METRICS_PORT has no port, so it is healthy as long as its process runs.
import { setTimeout as pause } from 'node:timers/promises';

const { METRICS_PORT, PORT, ROLE } = process.env;
const TIMEOUT_MS = 4_500;

/**
 * While the database is away, a worker is not ready, but healthy: if it were replaced, the results of sent messages in its
 * memory would be lost.
 */
const isHealthy = (status, checks) => status === 200 || (ROLE === 'worker' && checks.work === true);

async function check(url) {
  const response = await fetch(url);
  const text = await response.text();
  return isHealthy(response.status, JSON.parse(text).checks ?? {}) ? undefined : `${response.status} ${text}`;
}

const port = METRICS_PORT || (ROLE === 'worker' ? undefined : PORT || 3000);
if (port) {
  const url = `http://127.0.0.1:${port}/health/ready`;
  const checked = check(url).catch((error) => error.cause?.message ?? error.message);
  const problem = await Promise.race([checked, pause(TIMEOUT_MS, 'no response in time')]);
  if (problem !== undefined) console.error(`${url}: ${problem}`);
  process.exit(problem === undefined ? 0 : 1);
}
