import type { Database } from '../../platform/database/index.js';
import { publishCatalogue } from './publish-catalogue.cross-tenant.js';
import { readCatalogue } from './read-catalogue.js';

/** The number of published files. */
export interface ImportedCatalogue {
  readonly templates: number;
  readonly packs: number;
}

/**
 * Publishes the templates and packs in an operator's folder to all workspaces, in one transaction.
 * @throws InvalidCatalogue with all errors, and nothing is published
 */
export async function importCatalogue(database: Database, folder: string): Promise<ImportedCatalogue> {
  const catalogue = await readCatalogue(folder);
  await publishCatalogue(database, catalogue, 'operator');
  return { templates: catalogue.templates.length, packs: catalogue.packs.length };
}
