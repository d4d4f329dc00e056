import type { BullRootModuleOptions } from '@nestjs/bullmq';
import { createPostgresBackend, createRedisBackend, runMigrations, setDefaultBackendFactory } from 'bullmq';
import pg from 'pg';
import { assertRedisAvailable } from './redis-check.js';

/** Dependency-injection token of the {@link QueueStore}. */
export const QUEUE_STORE = Symbol('queue store');

/** Where the queues are stored: in Redis if there is a `redis_url`, else in the service's PostgreSQL. */
export interface QueueStore {
  readonly database_url: string;
  readonly redis_url: string | undefined;
}

/** The connections to PostgreSQL that one queue or worker may open, in addition to one that listens. */
const CONNECTIONS_PER_QUEUE = 2;

/**
 * Creates the tables of BullMQ in PostgreSQL, unless Redis is used. BullMQ takes a lock, so several processes may
 * do this at the same time.
 * @throws Error if Redis is used and is not available or too old
 */
export async function prepareQueueStore(store: QueueStore): Promise<void> {
  if (store.redis_url) return assertRedisAvailable(store.redis_url);
  const client = new pg.Client({ connectionString: store.database_url });
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
}

/**
 * @returns how queues and workers connect. Call it before the first of them is created: BullMQ has one backend per
 *   process.
 */
export function queueConnection(store: QueueStore): BullRootModuleOptions {
  if (store.redis_url) {
    setDefaultBackendFactory(createRedisBackend);
    return { connection: redisConnection(store.redis_url) };
  }
  setDefaultBackendFactory(createPostgresBackend);
  // The type of @nestjs/bullmq knows Redis only; the PostgreSQL backend takes the options of a pg pool.
  const connection = { connectionString: store.database_url, max: CONNECTIONS_PER_QUEUE } as unknown;
  return { connection: connection as BullRootModuleOptions['connection'] };
}

/**
 * @returns how queues connect that only add jobs: while Redis is not available, jobs are lost instead of collected in
 *   memory
 */
export function producerConnection(store: QueueStore): Partial<BullRootModuleOptions> {
  return store.redis_url ? { connection: { ...redisConnection(store.redis_url), enableOfflineQueue: false } } : {};
}

function redisConnection(url: string) {
  const { hostname, port, username, password, protocol, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 6379),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(pathname.length > 1 ? { db: Number(pathname.slice(1)) } : {}),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
    maxRetriesPerRequest: null,
  };
}
