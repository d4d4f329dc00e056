import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Copies what a build of the image gets: what `.dockerignore` does not leave out. */
export function copyBuildContext(folder: string): void {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  for (const line of lines.filter((text) => text.startsWith('!'))) {
    cpSync(join(ROOT, line.slice(1)), join(folder, line.slice(1)), {
      recursive: true,
      filter: (source) => !/\.spec\.ts$|\/node_modules$|packages\/[^/]+\/dist$/.test(source),
    });
  }
}
