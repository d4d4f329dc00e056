// Compiles with tsc, then copies what is no TypeScript (catalogues, pages) beside the compiled code.
import { execFileSync } from 'node:child_process';

execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
