// Module hooks of Node that compile TypeScript. https://nodejs.org/api/module.html#customization-hooks
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

/** The TypeScript file that an import of `./x.js` means, if there is one. */
function typescriptOf(specifier, parent) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !parent?.endsWith('.ts')) return undefined;
  const url = new URL(specifier.replace(/js$/, 'ts'), parent);
  return existsSync(url) ? url.href : undefined;
}

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const url = typescriptOf(specifier, context.parentURL);
  if (url) return { url, format: 'module', shortCircuit: true };
  return nextResolve(specifier, { ...context, conditions: ['source', ...context.conditions] });
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'es6' },
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
      keepClassNames: true,
    },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
