import { publishShippedCatalogue } from '../../marketplace/index.js';
import { Database } from '../../platform/database/index.js';
import { openMigrated } from '../open-database.js';
import { prepareQueues } from '../open.js';
import { readConfig } from '../settings.js';
import type { CommandReport } from './run.js';

/** `outreach migrate`: does everything that a server does to the database before it starts. */
export async function migrate(): Promise<CommandReport> {
  const config = readConfig();
  const database = await openMigrated(config, 'command');
  try {
    await prepareQueues(config, database);
    await publishShippedCatalogue(new Database(database.source));
  } finally {
    await database.close();
  }
  const { applied } = database;
  return {
    json: { applied },
    text: applied.length === 0 ? 'Nothing to apply.' : applied.map((name) => `applied ${name}`).join('\n'),
  };
}
