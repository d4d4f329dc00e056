// Runs the suites for queues and quotas with a temporary Redis. Requires redis-server on the PATH.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hasRedis, startRedis } from './temporary-redis.mjs';

/**
 * What depends on where the queues and the quotas are stored: how jobs get into queues and are not lost, processes that
 * share a queue, are killed or find it emptied or unreachable, a run of each kind of work, and what is left of an erased person.
 */
const SUITES = [
  'test/platform/job-queue',
  'test/contract/quota',
  'test/journeys/sending',
  'test/slow/workers.spec',
  'test/journeys/webhooks.spec',
  'test/slow/webhook-outages',
  'test/contract/erasure.spec',
];

if (!hasRedis()) {
  console.error('This command requires redis-server: install it (apt-get install redis-server).');
  process.exit(1);
}

const redis = await startRedis();
const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...SUITES], {
  stdio: 'inherit',
  env: { ...process.env, TEST_REDIS_URL: `redis://127.0.0.1:${redis.port}` },
});
const [code] = await once(jest, 'exit');
await redis.stop();
process.exit(code ?? 1);
