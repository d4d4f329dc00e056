// Runs the suites that test pages in a browser. Requires Chromium: CHROMIUM_PATH, by default the path of Debian's package.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

if (spawnSync(chromium, ['--version']).error) {
  console.error('This command requires Chromium: install it (apt-get install chromium) or set CHROMIUM_PATH.');
  process.exit(1);
}

const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', '--config', 'test/pages/jest.config.js'], {
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM_PATH: chromium },
});
const [code] = await once(jest, 'exit');
process.exit(code ?? 1);
