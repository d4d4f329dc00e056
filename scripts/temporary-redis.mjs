// A Redis in a temporary directory on a free port of loopback. Requires redis-server on the PATH.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

export const hasRedis = () => !spawnSync('redis-server', ['--version']).error;

/** Starts Redis without persistence. @returns its port and a function that ends it */
export async function startRedis() {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'outreach-redis-'));
  const options = [
    ...['--port', port, '--bind', '127.0.0.1', '--dir', directory],
    ...['--save', '', '--appendonly', 'no', '--databases', 4096],
  ];
  const redis = spawn('redis-server', options.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  redis.stdout.resume();
  await waitUntilReady(port);
  const stop = async () => {
    if (redis.exitCode === null && redis.signalCode === null) {
      redis.kill();
      await once(redis, 'exit');
    }
    rmSync(directory, { recursive: true, force: true });
  };
  return { port, stop };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function waitUntilReady(port) {
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50 });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
}
