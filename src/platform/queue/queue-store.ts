import type { BullRootModuleOptions } from '@nestjs/bullmq';
import { createPostgresBackend, createRedisBackend, runMigrations, setDefaultBackendFactory } from 'bullmq';
import pg from 'pg';
import { assertRedisAvailable } from './redis-check.js';

/** Where the queues live: Redis where `redis_url` is given, else the service's own PostgreSQL. */
export interface QueueStore {
  readonly database_url: string;
  readonly redis_url: string | undefined;
}

/** Connections that one queue or worker may open to PostgreSQL, beside one that listens. */
const CONNECTIONS_PER_QUEUE = 2;

/**
 * Creates BullMQ's tables in PostgreSQL, where they are used; its own lock lets processes start at once.
 * @throws Error when Redis is used and does not answer, or is too old
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

/** How queues and workers connect. Call it before the first of them is built: BullMQ remembers its backend per process. */
export function queueConnection(store: QueueStore): BullRootModuleOptions {
  if (store.redis_url) {
    setDefaultBackendFactory(createRedisBackend);
    return { connection: redisConnection(store.redis_url) };
  }
  setDefaultBackendFactory(createPostgresBackend);
  // Nest's type knows Redis only; the backend takes the options of a pg pool.
  const connection = { connectionString: store.database_url, max: CONNECTIONS_PER_QUEUE } as unknown;
  return { connection: connection as BullRootModuleOptions['connection'] };
}

/** How those connect who only ring: while Redis is away their hints are lost at once, and do not pile up in memory. */
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
