import { Redis } from 'ioredis';
import type { TestDatabase } from './test-database.js';

/** The number of databases of the Redis that `npm run test:redis` starts. */
const DATABASES = 4096;

/** @returns settings for a Redis database of this test file, or none if the run has no Redis */
export function redisSettings(database: TestDatabase): { REDIS_URL?: string } {
  const server = process.env.TEST_REDIS_URL;
  if (!server) return {};
  const own = parseInt(database.url.slice(-6), 16) % DATABASES;
  return { REDIS_URL: `${server}/${own}` };
}

/** Ends all quota windows now, in PostgreSQL or Redis. */
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

/** Deletes all jobs, as when Redis restarts without its data. */
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
