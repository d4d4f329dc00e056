import { fileURLToPath } from 'node:url';
import type { Database } from '../../platform/database/index.js';
import { publishCatalogue } from './publish-catalogue.cross-tenant.js';
import { readCatalogue } from './read-catalogue.js';

/** A folder for each locale, a file for each template and pack. */
const SHIPPED = fileURLToPath(new URL('../catalogue', import.meta.url));

/** Publishes the catalogue that comes with this version. Where it is published already nothing is written. */
export async function publishShippedCatalogue(database: Database): Promise<void> {
  await publishCatalogue(database, await readCatalogue(SHIPPED), 'shipped');
}
