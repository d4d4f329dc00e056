import type { BullRootModuleOptions } from '@nestjs/bullmq';
import { createRedisBackend, runMigrations, setDefaultBackendFactory } from 'bullmq';
import pg from 'pg';
import { ignoreConnectionErrors } from '../database/index.js';
import { postgresBackend } from './postgres-backend.js';
import { assertRedisAvailable } from './redis-check.js';

/** Dependency-injection token of the {@link QueueStore}. */
export const QUEUE_STORE = Symbol('queue store');

/** Where the queues are stored: in Redis if there is a `redis_url`, else in the service's PostgreSQL. */
export interface QueueStore {
  /** A connection to it must have a session for itself. */
  readonly database_url: string;
  readonly redis_url: string | undefined;
}

/**
 * Creates the tables of BullMQ in PostgreSQL, unless Redis is used. BullMQ takes a lock, so several processes may
 * do this at the same time.
 * @throws Error if Redis is used and is not available or too old
 */
export async function prepareQueueStore(store: QueueStore): Promise<void> {
  if (store.redis_url) return assertRedisAvailable(store.redis_url);
  const client = new pg.Client({ connectionString: store.database_url });
  ignoreConnectionErrors(client);
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
  setDefaultBackendFactory(postgresBackend(store.database_url));
  // The backend has its own connections, but BullMQ requires the option.
  return { connection: {} };
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
