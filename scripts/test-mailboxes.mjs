// Runs the suite for mailboxes against Dovecot. Requires dovecot on the PATH or in /usr/sbin.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` };

if (spawnSync('dovecot', ['--version'], { env }).error) {
  console.error('This command requires Dovecot: install it (apt-get install dovecot-imapd).');
  process.exit(1);
}

const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', '--config', 'test/mailboxes/jest.config.js'], {
  stdio: 'inherit',
  env,
});
const [code] = await once(jest, 'exit');
process.exit(code ?? 1);
