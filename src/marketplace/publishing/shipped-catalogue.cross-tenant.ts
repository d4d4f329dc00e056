import { fileURLToPath } from 'node:url';
import type { Database } from '../../platform/database/index.js';
import { publishCatalogue } from './publish-catalogue.cross-tenant.js';
import { readCatalogue } from './read-catalogue.js';

/** The folder of the shipped catalogue: a sub-folder per locale, a file per template and pack. */
const SHIPPED = fileURLToPath(new URL('../catalogue', import.meta.url));

/** Publishes the catalogue of this version. Writes nothing if it is already published. */
export async function publishShippedCatalogue(database: Database): Promise<void> {
  await publishCatalogue(database, await readCatalogue(SHIPPED), 'shipped');
}
