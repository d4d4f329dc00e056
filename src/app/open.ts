import { type Config } from '../platform/config/index.js';
import { Log } from '../platform/logging/index.js';
import { prepareQueueStore } from '../platform/queue/index.js';
import { encryptionKeys } from './encryption-keys.js';
import { type Opened } from './foundation.module.js';
import { migrate } from './migrate.js';
import { openDatabase, type OpenDatabase } from './open-database.js';
import { reasonOf, StartFailed } from './start-failed.js';

/** What a process needs before its modules come to life, migrated and ready. */
export interface OpenProcess extends Opened {
  readonly database: OpenDatabase;
  readonly applied: readonly string[];
}

/**
 * Opens the database, migrates it and reads the keys.
 * @throws StartFailed with one line for the operator
 */
export async function open(
  config: Config,
  as: 'server' | 'command',
  log = new Log(config.log_level),
): Promise<OpenProcess> {
  const database = await openDatabase(config, as);
  try {
    const applied = await migrate(database.source).catch((error: unknown) => {
      throw new StartFailed(`The migrations failed: ${reasonOf(error)}.`);
    });
    await prepareQueueStore({ database_url: database.url, redis_url: config.redis_url });
    const keys = await encryptionKeys(config);
    return { config, source: database.source, database_url: database.url, keys, log, database, applied };
  } catch (error) {
    await database.close();
    throw error;
  }
}
