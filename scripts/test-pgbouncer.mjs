// Runs the suite for PgBouncer in transaction mode in front of PostgreSQL. Requires pgbouncer on the PATH.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

if (spawnSync('pgbouncer', ['--version']).error) {
  console.error('This command requires pgbouncer: install it (apt-get install pgbouncer).');
  process.exit(1);
}

const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', '--config', 'test/pgbouncer/jest.config.js'], {
  stdio: 'inherit',
});
const [code] = await once(jest, 'exit');
process.exit(code ?? 1);
