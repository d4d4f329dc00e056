// Compiles the examples of README.md, in their order as one program, with the built package.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const program = `${folder}test/readme.ts`;
const examples = readFileSync(`${folder}README.md`, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--ignoreConfig'];
const modules = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node'];

try {
  writeFileSync(program, [...examples].map(([, code]) => code).join('\n'));
  execFileSync(process.execPath, [`${folder}node_modules/typescript/bin/tsc`, ...options, ...modules, program], {
    stdio: 'inherit',
  });
} finally {
  rmSync(program, { force: true });
}
