// Compiles the samples in TypeScript that /docs shows, each as a program of its own, with the built package clients/typescript.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pageDocument } from '@outreach/api-reference';

const client = fileURLToPath(new URL('../clients/typescript/', import.meta.url));
const folder = `${client}test/samples`;
const checks = ['--strict', '--exactOptionalPropertyTypes', '--noUnusedLocals', '--noEmit', '--ignoreConfig'];
const modules = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node'];

const document = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'));
const page = pageDocument(document, 'http://localhost:3000', new Set(Object.keys(document.paths)));
const operations = Object.values(page.paths).flatMap((methods) => Object.values(methods));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
try {
  const programs = operations.map(({ operationId, 'x-codeSamples': [{ source }] }) => {
    const program = `${folder}/${operationId}.ts`;
    // Without an import or export it would be no module, and `await` an error.
    writeFileSync(program, `${source}\nexport {};\n`);
    return program;
  });
  const tsc = [`${client}node_modules/typescript/bin/tsc`, ...checks, ...modules, ...programs];
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
  if (status === 0) console.log(`The samples of ${programs.length} operations compile.`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
