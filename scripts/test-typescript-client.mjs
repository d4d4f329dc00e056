// Installs, builds and checks the package clients/typescript as from a clone, and uses it with a running service.
// `npm run test:clients` is about other libraries, which users generate themselves.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('../clients/typescript', import.meta.url));

for (const command of ['ci --no-audit --no-fund', 'run build', 'test', 'run check:package']) {
  execFileSync('npm', command.split(' '), { cwd, stdio: 'inherit' });
}
execFileSync(process.execPath, ['scripts/check-code-samples.mjs'], { stdio: 'inherit' });

const args = ['node_modules/jest/bin/jest.js', '--config', 'test/typescript-client/jest.config.js'];
const TYPESCRIPT_CLIENT = new URL('../clients/typescript/dist/index.js', import.meta.url).href;
const jest = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, TYPESCRIPT_CLIENT } });
const [code] = await once(jest, 'exit');
process.exitCode = code ?? 1;
