import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const reference = join(root, 'docs/openapi.json');
const programs = ['openapi-fetch', 'hey-api'];

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
};

/**
 * Generates two client libraries from the API reference into a folder, checks the programs that use them with the strict
 * rules of TypeScript, and bundles the programs into `bundle/`. Throws if a program does not compile.
 */
export async function generateClients(folder) {
  cpSync(join(import.meta.dirname, 'programs'), folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

  const blob = ts.factory.createTypeReferenceNode('Blob');
  const types = await openapiTS(JSON.parse(readFileSync(reference, 'utf8')), {
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
  });
  writeFileSync(join(folder, 'openapi-typescript.ts'), astToString(types));

  await createClient({
    input: reference,
    output: join(folder, 'hey-api'),
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });

  const include = [...programs.map((name) => `${name}.mts`), 'openapi-typescript.ts', 'hey-api'];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'inherit' });

  await build({
    entryPoints: programs.map((name) => join(folder, `${name}.mts`)),
    outdir: join(folder, 'bundle'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
}
