import type { CommandReport } from '@outreach/command-line';
import { withMigratedDatabase } from './with-database.js';

/** `outreach migrate`: does everything that a server does to the database before it starts. */
export async function migrate(): Promise<CommandReport> {
  const applied = await withMigratedDatabase((_, opened) => Promise.resolve(opened.applied));
  return {
    json: { applied },
    text: applied.length === 0 ? 'Nothing to apply.' : applied.map((name) => `applied ${name}`).join('\n'),
  };
}
