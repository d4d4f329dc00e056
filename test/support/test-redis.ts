import { Redis } from 'ioredis';
import type { TestDatabase } from './test-database.js';

/** How many databases the Redis of `npm run test:redis` has. */
const DATABASES = 4096;

/** The settings of a service whose queues and quotas live in Redis, where the run has one: a database of its own. */
export function redisSettings(database: TestDatabase): { REDIS_URL?: string } {
  const server = process.env.TEST_REDIS_URL;
  if (!server) return {};
  const own = parseInt(database.url.slice(-6), 16) % DATABASES;
  return { REDIS_URL: `${server}/${own}` };
}

/** Lets all windows of quota end now, wherever they are counted. */
export async function endQuotaWindows(database: TestDatabase): Promise<void> {
  const { REDIS_URL: url } = redisSettings(database);
  if (!url) {
    await database.query(`UPDATE quota_counters SET ends_at = now() - interval '1 ms'`);
    return;
  }
  const redis = new Redis(url);
  const windows = await redis.keys('quota:*');
  await Promise.all(windows.map((window) => redis.pexpire(window, 1)));
  while (await redis.exists(...windows));
  redis.disconnect();
}

/** All that the queues hold is gone, as when Redis starts anew. */
export async function emptyQueues(database: TestDatabase): Promise<void> {
  const { REDIS_URL: url } = redisSettings(database);
  if (!url) {
    await database.query('TRUNCATE bullmq.job, bullmq.dedup, bullmq.dedup_next, bullmq.event CASCADE');
    return;
  }
  const redis = new Redis(url);
  await redis.flushdb();
  redis.disconnect();
}
