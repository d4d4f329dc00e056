import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Installs, builds and checks the package clients/typescript as from a clone. `test/clients` is about other libraries, which
 * users generate themselves.
 * @returns {string} the URL of its module
 */
export function buildTypescriptClient() {
  const cwd = fileURLToPath(new URL('../../clients/typescript', import.meta.url));
  for (const command of ['ci --no-audit --no-fund', 'run build', 'test', 'run check:package']) {
    execFileSync('npm', command.split(' '), { cwd, stdio: 'inherit' });
  }
  execFileSync(process.execPath, ['scripts/check-code-samples.mjs'], { stdio: 'inherit' });
  return new URL('../../clients/typescript/dist/index.js', import.meta.url).href;
}
