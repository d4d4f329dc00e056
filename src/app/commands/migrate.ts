import { type CommandReport, showProgress, untilStopSignal } from '@outreach/command-line';
import { publishShippedCatalogue } from '../../marketplace/index.js';
import { Database } from '../../platform/database/index.js';
import { openMigrated } from '../open-database.js';
import { prepareQueues } from '../open.js';
import { readConfig } from '../settings.js';
import { closeAfter } from './with-database.js';

/** `outreach migrate`: does everything that a server does to the database before it starts. */
export async function migrate(): Promise<CommandReport> {
  const config = readConfig();
  const applied = await untilStopSignal(async (signal) => {
    const database = await openMigrated(config, { as: 'command', signal, onProgress: showProgress });
    return closeAfter(database, signal, async () => {
      await prepareQueues(config, database);
      await publishShippedCatalogue(new Database(database.source));
      return database.applied;
    });
  });
  return {
    json: { applied },
    text: applied.length === 0 ? 'Nothing to apply.' : applied.map((name) => `applied ${name}`).join('\n'),
  };
}
