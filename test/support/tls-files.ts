import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The path of one of the files that `tls/README.md` describes. */
export const tlsFile = (name: string): string => join(import.meta.dirname, 'tls', name);

/** The content of such a file. */
export const pem = (name: string): string => readFileSync(tlsFile(name), 'utf8');
