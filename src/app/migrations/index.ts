import { InitialSchema1795300000000 } from './1795300000000-initial-schema.js';

/** In the order in which they are applied. Written by npm run generate. A released migration is never edited. */
export const migrations = [InitialSchema1795300000000];
