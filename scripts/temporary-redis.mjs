// A Redis in a temporary directory on a free port of loopback, or a cluster of several. Requires redis-server on the PATH.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** Over which the keys of a cluster are spread. */
const SLOTS = 16_384;

export const hasRedis = () => !spawnSync('redis-server', ['--version']).error;

/** Starts Redis without persistence. @returns its port and a function that ends it */
export async function startRedis(further = []) {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'outreach-redis-'));
  const options = [
    ...['--port', port, '--bind', '127.0.0.1', '--dir', directory],
    ...['--save', '', '--appendonly', 'no', '--databases', 4096],
    ...further,
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

/** Starts a cluster of three nodes without replicas. @returns its URL and a function that ends it */
export async function startRedisCluster() {
  const nodes = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const busPort = await freePort();
      return { busPort, ...(await startRedis(clusterOptions(busPort))) };
    }),
  );
  await joinCluster(nodes);
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}`,
    stop: () => Promise.all(nodes.map(({ stop }) => stop())),
  };
}

/** The options of a node, which talks with the others on a port of its own. A single one would not know its address. */
export const clusterOptions = (busPort) => [
  ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort), '--cluster-announce-ip', '127.0.0.1'],
];

/** Shares the slots among nodes, and waits until each knows where all are. */
export async function joinCluster(nodes) {
  const clients = nodes.map(({ port }) => new Redis(port, '127.0.0.1'));
  try {
    const share = Math.ceil(SLOTS / nodes.length);
    for (const [n, client] of clients.entries()) {
      await client.cluster('ADDSLOTSRANGE', n * share, Math.min((n + 1) * share, SLOTS) - 1);
      // Otherwise two nodes may claim the same rank, and agree only later.
      await client.cluster('SET-CONFIG-EPOCH', n + 1);
    }
    for (const { port, busPort } of nodes.slice(1)) await clients[0].cluster('MEET', '127.0.0.1', port, busPort);
    await Promise.all(clients.map((client) => waitUntilJoined(client, nodes.length)));
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function waitUntilJoined(client, count) {
  for (;;) {
    const [info, slots] = [await client.cluster('INFO'), await client.cluster('SLOTS')];
    if (info.includes('cluster_state:ok') && slots.length === count) return;
    await pause(50);
  }
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
