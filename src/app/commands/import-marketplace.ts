import { importCatalogue } from '../../marketplace/index.js';
import type { Report } from './run.js';
import { withDatabase } from './with-database.js';

/** `outreach marketplace import`: publishes a folder of templates and packs, all or nothing. */
export async function importMarketplace(folder: string): Promise<Report> {
  const imported = await withDatabase((database) => importCatalogue(database, folder));
  const { templates, packs } = imported;
  return { json: { templates, packs }, text: `Published templates: ${templates}, packs: ${packs}.` };
}
