import { describeDatabase, hasOwnSession, isSameDatabase } from '@outreach/postgres-connections';
import { reasonOf } from '@outreach/command-line';
import { prepareQueueTables } from '@outreach/job-queue';
import { describeRedis } from '@outreach/redis-connections';
import type { Log } from '@outreach/logging';
import { publishShippedCatalogue } from '../marketplace/index.js';
import type { Config } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import { redisCheck } from '../platform/redis/index.js';
import { encryptionKeys } from './encryption-keys.js';
import type { Opened } from './foundation.module.js';
import { openMigrated, type OpenDatabase } from './open-database.js';
import type { ServiceConfig } from './settings.js';
import { StartFailed } from './start-failed.js';

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
  const onProgress = (text: string): void => log.info(text);
  const database = await openMigrated(config, { as: 'server', signal, onProgress });
  try {
    signal?.throwIfAborted();
    const keys = await encryptionKeys(config, database.source);
    await prepareQueues(config, database);
    if (config.redis_url && config.role !== 'api') await assertSession(config, database);
    await publishShippedCatalogue(new Database(database.source));
    signal?.throwIfAborted();
    return { config, source: database.source, queue_database_url: queueUrl(config, database), keys, log, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** @throws StartFailed */
export async function prepareQueues(config: Config, database: { readonly url: string }): Promise<void> {
  if (!config.redis_url) await assertSession(config, database);
  try {
    if (config.redis_url) await redisCheck.assertAvailable(config.redis_url);
    else await prepareQueueTables(queueUrl(config, database));
  } catch (error) {
    const store = config.redis_url ? describeRedis(config.redis_url) : 'PostgreSQL';
    throw new StartFailed(`Cannot prepare the queues in ${store}: ${reasonOf(error)}.`);
  }
}

const queueUrl = (config: Config, { url }: { readonly url: string }): string => config.queue_database_url ?? url;

/** @throws StartFailed if queues and workers would not have sessions for themselves */
async function assertSession(config: Config, database: { readonly url: string }): Promise<void> {
  const setting = config.queue_database_url ? 'QUEUE_DATABASE_URL' : 'DATABASE_URL';
  const isSession = await hasOwnSession(queueUrl(config, database)).catch((error: unknown) => {
    throw new StartFailed(`Cannot open the database of ${setting}: ${reasonOf(error)}.`);
  });
  if (isSession) return assertSameDatabase(config, database);
  throw new StartFailed(
    `${setting} leads to a connection pooler in transaction mode, but workers and queues in PostgreSQL need sessions: ` +
      'set QUEUE_DATABASE_URL to the same database without the pooler, or through a pooler in session mode.',
  );
}

/** @throws StartFailed if the queues and the locks of workers would be in another database than the records */
async function assertSameDatabase(
  { queue_database_url: url }: Config,
  database: { readonly url: string },
): Promise<void> {
  if (url === undefined || (await isSameDatabase(database.url, url))) return;
  throw new StartFailed(
    `QUEUE_DATABASE_URL leads to ${describeDatabase(url)}, which is another database than that of DATABASE_URL: ` +
      'set it to the same database, without a connection pooler in transaction mode.',
  );
}
