// Compiles with tsc, then copies the files that are not TypeScript (catalogues) to the compiled code.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';

execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });

for (const folder of ['src/marketplace/catalogue']) {
  rmSync(`dist/${folder}`, { recursive: true, force: true });
  cpSync(folder, `dist/${folder}`, { recursive: true });
}
