import type { Database } from '../../platform/database/index.js';
import { publishCatalogue } from './publish-catalogue.cross-tenant.js';
import { readCatalogue } from './read-catalogue.js';

/** How many files were published. */
export interface ImportedCatalogue {
  readonly templates: number;
  readonly packs: number;
}

/**
 * Publishes an operator's own folder of templates and packs to all workspaces, or nothing of it.
 * @throws CatalogueBroken with a line for each fault
 */
export async function importCatalogue(database: Database, folder: string): Promise<ImportedCatalogue> {
  const catalogue = await readCatalogue(folder);
  await publishCatalogue(database, catalogue, 'operator');
  return { templates: catalogue.templates.length, packs: catalogue.packs.length };
}
