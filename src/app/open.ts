import { publishShippedCatalogue } from '../marketplace/index.js';
import type { Config } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import type { Log } from '../platform/logging/index.js';
import { prepareQueueStore } from '../platform/queue/index.js';
import { encryptionKeys } from './encryption-keys.js';
import type { Opened } from './foundation.module.js';
import { openMigrated, type OpenDatabase } from './open-database.js';
import type { ServiceConfig } from './settings.js';
import { reasonOf, StartFailed } from './start-failed.js';

/** What a process opens before it creates its modules, with the database that it has to close. */
export interface OpenProcess extends Opened {
  readonly database: OpenDatabase;
}

/**
 * Opens the database, migrates it, prepares the queues, publishes the shipped catalogue and reads the keys.
 * @param signal ends this with its reason
 * @throws StartFailed, EmbeddedPostgresFailure with one line for the operator
 */
export async function openProcess(config: ServiceConfig, log: Log, signal?: AbortSignal): Promise<OpenProcess> {
  const database = await openMigrated(config, 'server', signal);
  try {
    signal?.throwIfAborted();
    const keys = await encryptionKeys(config, database.source);
    await prepareQueues(config, database);
    await publishShippedCatalogue(new Database(database.source));
    signal?.throwIfAborted();
    return { config, source: database.source, database_url: database.url, keys, log, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** @throws StartFailed */
export async function prepareQueues(config: Config, database: { readonly url: string }): Promise<void> {
  try {
    await prepareQueueStore({ database_url: database.url, redis_url: config.redis_url });
  } catch (error) {
    const store = config.redis_url ? `Redis at ${new URL(config.redis_url).host}` : 'PostgreSQL';
    throw new StartFailed(`Cannot prepare the queues in ${store}: ${reasonOf(error)}.`);
  }
}
