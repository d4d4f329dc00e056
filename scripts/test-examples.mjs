// Runs the example of an end-to-end suite (examples/ci) as its GitHub workflow does, on the PostgreSQL of the operating system.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { debianPostgres, startTemporaryPostgres } from './temporary-postgres.mjs';

const PROGRAMS = { openssl: ['version'], curl: ['--version'] };

const missing = Object.keys(PROGRAMS).filter((command) => spawnSync(command, PROGRAMS[command]).error);
const programs = debianPostgres();
if (!programs) missing.push('postgresql');
if (missing.length > 0) {
  console.error(`This command requires ${missing.join(', ')}: apt-get install openssl curl postgresql.`);
  process.exit(1);
}

const server = await startTemporaryPostgres(programs);
const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', '--config', 'test/examples/jest.config.js'], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: server.url },
});
const [code] = await once(jest, 'exit');
await server.stop();
process.exit(code ?? 1);
