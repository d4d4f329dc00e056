import type { BullRootModuleOptions } from '@nestjs/bullmq';
import type { Log } from '@outreach/logging';
import { describeDatabase, newClient } from '@outreach/postgres-connections';
import {
  createIORedisClient,
  createRedisBackend,
  RedisConnection,
  type RedisOptions,
  runMigrations,
  setDefaultBackendFactory,
} from 'bullmq';
import { describeRedis, openRedis, parseRedisAddress, redisOptions } from '@outreach/redis-connections';
import { postgresBackend } from './postgres-backend.js';

/** Dependency-injection token of the {@link QueueStore}. */
export const QUEUE_STORE = Symbol('queue store');

/** How often a worker polls a queue from which nothing has woken it. It needs four statements. */
export const QUEUE_POLL_SECONDS = 60;

/**
 * How long Redis may not respond to a command before its connection is opened again: it may have vanished while the command was
 * under way. Workers, which get the options of their queue, wait for jobs with a command.
 */
const RESPONSE_TIMEOUT_MS = (QUEUE_POLL_SECONDS + 10) * 1_000;

/** Where the queues are stored: in Redis if there is a `redis_url`, else in the service's PostgreSQL. */
export interface QueueStore {
  /** A connection to it must have a session for itself. */
  readonly database_url: string;
  readonly redis_url: string | undefined;
}

/** Where the queues of the service are, and what the session of a worker is called there. */
export interface NamedQueueStore extends QueueStore {
  /** Its `application_name` in PostgreSQL. */
  readonly session_name: string;
}

/** @returns the store of the queues, for people: `PostgreSQL outreach at one:5432`, `Redis at one:6379` */
export const describeStore = ({ database_url, redis_url }: QueueStore): string =>
  redis_url ? describeRedis(redis_url) : `PostgreSQL ${describeDatabase(database_url)}`;

/**
 * Creates the tables of BullMQ in PostgreSQL, for queues that are not in Redis. BullMQ takes a lock, so several processes may
 * do this at the same time.
 */
export async function prepareQueueTables(databaseUrl: string): Promise<void> {
  const client = newClient(databaseUrl);
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
export function queueConnection(store: QueueStore, log: Pick<Log, 'restored'>): BullRootModuleOptions {
  const onConnected = (): void => log.restored(describeStore(store));
  if (store.redis_url) {
    setDefaultBackendFactory(createRedisBackend);
    RedisConnection.clientFactory = (options) => openClient(options, onConnected);
    return { connection: redisConnection(store.redis_url) };
  }
  setDefaultBackendFactory(postgresBackend(store.database_url, { onConnected }));
  // The backend has its own connections, but BullMQ requires the option.
  return { connection: {} };
}

/**
 * @returns how a queue connects that only adds jobs: while Redis is not available, jobs are lost instead of collected in
 *   memory
 */
export function queueOptions(store: QueueStore, name: string): Partial<BullRootModuleOptions> {
  const { redis_url: url } = store;
  if (!url) return {};
  return {
    connection: { ...redisConnection(url), enableOfflineQueue: false },
    // All keys of a script must be in one slot of a cluster; the queues are in different ones.
    ...(parseRedisAddress(url).kind === 'cluster' && { prefix: `bull:{${name}}` }),
  };
}

const redisConnection = (url: string) => ({
  url,
  ...redisOptions,
  maxRetriesPerRequest: null,
  socketTimeout: RESPONSE_TIMEOUT_MS,
});

/** BullMQ itself opens one server. */
const openClient = ({ url = '', ...options }: RedisOptions, onConnected: () => void) =>
  createIORedisClient(openRedis(url, options).on('ready', onConnected));
