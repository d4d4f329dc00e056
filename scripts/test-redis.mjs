// Runs the suites for queues and quotas with a temporary Redis. Requires redis-server on the PATH.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What depends on where the queues and the quotas are stored. */
const SUITES = [
  'test/journeys/sending',
  'test/journeys/workers',
  'test/journeys/webhooks.spec',
  'test/journeys/webhook-outages',
  'test/journeys/webhook-workers',
  'test/contract/pipeline',
];

if (spawnSync('redis-server', ['--version']).error) {
  console.error('This command requires redis-server: install it (apt-get install redis-server).');
  process.exit(1);
}

const port = await freePort();
const directory = mkdtempSync(join(tmpdir(), 'outreach-redis-'));
const options = [
  '--port',
  port,
  '--bind',
  '127.0.0.1',
  '--dir',
  directory,
  '--save',
  '',
  '--appendonly',
  'no',
  '--databases',
  4096,
];
const redis = spawn('redis-server', options.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
redis.stdout.resume();
await waitUntilReady(port);

const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...SUITES], {
  stdio: 'inherit',
  env: { ...process.env, TEST_REDIS_URL: `redis://127.0.0.1:${port}` },
});
const [code] = await once(jest, 'exit');
redis.kill();
await once(redis, 'exit');
rmSync(directory, { recursive: true, force: true });
process.exit(code ?? 1);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}

async function waitUntilReady(redisPort) {
  const { Redis } = await import('ioredis');
  const client = new Redis(redisPort, '127.0.0.1', { retryStrategy: () => 50 });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
}
