// Runs the code of examples/webhooks in all languages with a real delivery. Requires python3, php and go.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const SUITE = 'test/journeys/webhook-signatures';
const RUNTIMES = { python3: ['--version'], php: ['--version'], go: ['version'] };

const missing = Object.keys(RUNTIMES).filter((command) => spawnSync(command, RUNTIMES[command]).error);
if (missing.length > 0) {
  console.error(
    `This command requires ${missing.join(' and ')} on the PATH: apt-get install python3 php-cli golang-go.`,
  );
  process.exit(1);
}

const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', SUITE], {
  stdio: 'inherit',
  env: { ...process.env, TEST_SNIPPETS: 'node,python,php,go' },
});
const [code] = await once(jest, 'exit');
process.exit(code ?? 1);
