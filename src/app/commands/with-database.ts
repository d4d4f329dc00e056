import { reasonOf, rejectAfter, showProgress, untilStopSignal } from '@outreach/command-line';
import { publishShippedCatalogue } from '../../marketplace/index.js';
import { Database } from '../../platform/database/index.js';
import { DatabaseUnavailable } from '@outreach/database';
import { type MigratedDatabase, type OpenDatabase, openExisting, openMigrated } from '../open-database.js';
import { prepareQueues } from '../open.js';
import { readConfig, type ServiceConfig } from '../settings.js';
import { ServiceLost } from '../start-failed.js';

/**
 * Runs `work` on the configured database, which a running server may use at the same time. A signal to stop ends it.
 * @throws ConfigError, StartFailed, EmbeddedPostgresFailure with a line for the operator; CommandStopped
 */
export function withDatabase<R>(
  work: (database: Database, opened: OpenedForCommand) => Promise<R>,
  config = readConfig(),
): Promise<R> {
  return untilStopSignal(async (signal) => {
    const opened = await openExisting(config, signal);
    return closeAfter(opened, signal, () => work(new Database(opened.source), { ...opened, config }));
  });
}

/** Runs `work` like {@link withDatabase}, after everything that a server does to the database before it starts. */
export function withMigratedDatabase<R>(
  work: (database: Database, opened: MigratedDatabase & OpenedForCommand) => Promise<R>,
): Promise<R> {
  const config = readConfig();
  return untilStopSignal(async (signal) => {
    const opened = await openMigrated(config, { as: 'command', signal, onProgress: showProgress });
    return closeAfter(opened, signal, async () => {
      const database = new Database(opened.source);
      await prepareQueues(config, opened);
      await publishShippedCatalogue(database);
      return work(database, { ...opened, config });
    });
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
