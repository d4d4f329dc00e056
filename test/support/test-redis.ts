import { Cluster, type Redis } from 'ioredis';
import { openRedis } from '@outreach/redis-connections';
import type { TestDatabase } from './test-database.js';

/** The number of databases of the Redis that `npm run test:redis` starts. */
const DATABASES = 4096;

/** @returns settings for a Redis database of this test file, for the cluster of the run, or none if the run has no Redis */
export function redisSettings(database: TestDatabase): { REDIS_URL?: string } {
  const server = process.env.TEST_REDIS_URL;
  if (!server) return {};
  if (isCluster(server)) return { REDIS_URL: server };
  const own = parseInt(new URL(database.url).pathname.slice(-6), 16) % DATABASES;
  return { REDIS_URL: `${server}/${own}` };
}

const isCluster = (url: string): boolean => url.startsWith('redis+cluster:');

/** Calls a function with each server that has keys: of a cluster, the primaries. */
export async function onRedis(url: string, work: (server: Redis) => Promise<unknown>): Promise<void> {
  const redis = openRedis(url, { lazyConnect: true });
  try {
    await redis.connect();
    await Promise.all((redis instanceof Cluster ? redis.nodes('master') : [redis]).map(work));
  } finally {
    redis.disconnect();
  }
}

/** Ends all quota windows now, in PostgreSQL or Redis. */
export async function endQuotaWindows(database: TestDatabase): Promise<void> {
  const { REDIS_URL: url } = redisSettings(database);
  if (!url) {
    await database.query(`UPDATE quota_counters SET ends_at = now() - interval '1 ms'`);
    return;
  }
  await onRedis(url, async (server) => {
    for (const window of await server.keys('quota:*')) {
      await server.pexpire(window, 1);
      while (await server.exists(window));
    }
  });
}

/** Deletes all jobs, as when Redis restarts without its data. */
export async function emptyQueues(database: TestDatabase): Promise<void> {
  const { REDIS_URL: url } = redisSettings(database);
  if (!url) {
    await database.query('TRUNCATE bullmq.job, bullmq.dedup, bullmq.dedup_next, bullmq.event CASCADE');
    return;
  }
  await onRedis(url, (server) => server.flushdb());
}

/** A cluster has one database: what the test file before has left there is deleted. */
export async function emptySharedRedis(): Promise<void> {
  const url = process.env.TEST_REDIS_URL;
  if (url && isCluster(url)) await onRedis(url, (server) => server.flushdb());
}
