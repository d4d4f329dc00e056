import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where one of the files is that `tls/README.md` describes. */
export const tlsFile = (name: string): string => join(import.meta.dirname, 'tls', name);

/** What it holds. */
export const pem = (name: string): string => readFileSync(tlsFile(name), 'utf8');
