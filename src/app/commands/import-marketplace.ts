import type { CommandReport } from '@outreach/command-line';
import { importCatalogue } from '../../marketplace/index.js';
import { withDatabase } from './with-database.js';

/** `outreach marketplace import`: publishes the templates and packs of a folder, all of them or none. */
export async function importMarketplace(folder: string): Promise<CommandReport> {
  const imported = await withDatabase((database) => importCatalogue(database, folder));
  const { templates, packs } = imported;
  return { json: { templates, packs }, text: `Published templates: ${templates}, packs: ${packs}.` };
}
