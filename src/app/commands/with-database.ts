import { reasonOf, rejectAfter, untilStopSignal } from '@outreach/command-line';
import { Database } from '../../platform/database/index.js';
import { DatabaseUnavailable } from '@outreach/database';
import { type OpenDatabase, openExisting } from '../open-database.js';
import { readConfig, type ServiceConfig } from '../settings.js';
import { ServiceLost } from '../start-failed.js';

/**
 * Runs `work` on the configured database, which a running server may use at the same time. A signal to stop ends it.
 * @throws ConfigError, StartFailed, EmbeddedPostgresFailure with a line for the operator; CommandStopped
 */
export function withDatabase<R>(work: (database: Database, opened: OpenedForCommand) => Promise<R>): Promise<R> {
  const config = readConfig();
  return untilStopSignal(async (signal) => {
    const opened = await openExisting(config, signal);
    return closeAfter(opened, signal, () => work(new Database(opened.source), { ...opened, config }));
  });
}

/** What a command may need beside the database. */
export interface OpenedForCommand extends OpenDatabase {
  readonly config: ServiceConfig;
}

/**
 * Runs `work`, then closes the database. After a signal to stop, it does not wait for statements that still run.
 * @throws ServiceLost if the database is lost meanwhile
 */
export async function closeAfter<R>(database: OpenDatabase, signal: AbortSignal, work: () => Promise<R>): Promise<R> {
  try {
    return await Promise.race([work(), rejectAfter(signal)]);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    throw new ServiceLost(`${reasonOf(error)}. Run the command again when it is.`);
  } finally {
    await (signal.aborted ? database.abandon() : database.close());
  }
}
