import { readConfig } from '../../platform/config/index.js';
import { openMigrated } from '../open-database.js';
import { prepareQueues } from '../open.js';
import type { Report } from './run.js';

/** `outreach migrate`: everything that a server would do to the database before it starts. */
export async function migrate(): Promise<Report> {
  const config = readConfig();
  const database = await openMigrated(config, 'command');
  try {
    await prepareQueues(config, database);
  } finally {
    await database.close();
  }
  const { applied } = database;
  return {
    json: { applied },
    text: applied.length === 0 ? 'Nothing to apply.' : applied.map((name) => `applied ${name}`).join('\n'),
  };
}
