import { Database } from '../../platform/database/index.js';
import { openMigrated } from '../open-database.js';
import { readConfig } from '../settings.js';

/**
 * Runs `work` on the configured database, which a running server may use at the same time.
 * @throws ConfigError, StartFailed, EmbeddedPostgresFailure with a line for the operator
 */
export async function withDatabase<R>(work: (database: Database) => Promise<R>): Promise<R> {
  const opened = await openMigrated(readConfig(), 'command');
  try {
    return await work(new Database(opened.source));
  } finally {
    await opened.close();
  }
}
