// Runs the suites that look at pages in a browser. Needs Chromium: CHROMIUM_PATH, or where Debian has it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

if (spawnSync(chromium, ['--version']).error) {
  console.error('Chromium is needed for this command, e.g. apt-get install chromium, or CHROMIUM_PATH.');
  process.exit(1);
}

const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', '--config', 'test/pages/jest.config.js'], {
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM_PATH: chromium },
});
const [code] = await once(jest, 'exit');
process.exit(code ?? 1);
