// Builds unless the last build is newer than everything that it was made of: for `npm start` and the like. `npm run build`
// builds in any case; both compile only the packages that have changed (tsc -b).
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT } from './built.mjs';

const SOURCES = [
  ...[
    'src',
    'scripts/build.mjs',
    'scripts/build-details.mjs',
    'scripts/third-party-licenses.mjs',
    'scripts/reference',
    'docs/openapi.json',
    'ormconfig.ts',
  ],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.extension.json'],
  ...readdirSync('packages', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => ['src', 'package.json', 'tsconfig.json'].map((part) => join('packages', name, part))),
];

/** @returns a file, or a folder in which one was added or removed, that is newer; undefined if there is none */
function newerThan(time, path) {
  const stats = statSync(path);
  if (stats.isDirectory()) {
    const entries = readdirSync(path).filter((name) => !name.endsWith('.spec.ts'));
    for (const name of entries) {
      const found = newerThan(time, join(path, name));
      if (found) return found;
    }
  }
  return stats.mtimeMs > time ? path : undefined;
}

const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs;
const changed = builtAt === undefined ? undefined : SOURCES.map((path) => newerThan(builtAt, path)).find(Boolean);

if (builtAt !== undefined && !changed) {
  console.log('The build is up to date.');
} else {
  console.log(
    changed ? `Building, because ${changed} has changed …` : 'Building for the first time, in about a minute …',
  );
  const begun = performance.now();
  await import('./build.mjs');
  console.log(`Built in ${Math.round((performance.now() - begun) / 1000)} s.`);
}
