// Exits with 0 if the process can do its work: `/health/ready` of METRICS_PORT, which the image sets, or else of the API.
// A worker without METRICS_PORT has no port, so it is healthy as long as its process runs.
import { setTimeout as pause } from 'node:timers/promises';

const { METRICS_PORT, PORT, ROLE } = process.env;
const TIMEOUT_MS = 4_500;

const port = METRICS_PORT || (ROLE === 'worker' ? undefined : PORT || 3000);
if (port) {
  const url = `http://127.0.0.1:${port}/health/ready`;
  const result = fetch(url).then(
    ({ status }) => status,
    (error) => `no response: ${error.cause?.message ?? error.message}`,
  );
  const status = await Promise.race([result, pause(TIMEOUT_MS, 'no response in time')]);
  if (status !== 200) console.error(`${url}: ${status}`);
  process.exit(status === 200 ? 0 : 1);
}
