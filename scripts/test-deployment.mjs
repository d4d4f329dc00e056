// Runs the suite for installations: the example files of proxies and systemd, backups, and the content of the image, on
// the PostgreSQL of the operating system.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { debianPostgres, startTemporaryPostgres } from './temporary-postgres.mjs';

const PROGRAMS = { nginx: ['-v'], caddy: ['version'], 'systemd-analyze': ['--version'] };

const missing = Object.keys(PROGRAMS).filter((command) => spawnSync(command, PROGRAMS[command]).error);
const programs = debianPostgres();
if (!programs) missing.push('postgresql');
if (missing.length > 0) {
  console.error(`This command requires ${missing.join(', ')}: apt-get install nginx-light caddy systemd postgresql.`);
  process.exit(1);
}

const server = await startTemporaryPostgres(programs);
const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', '--config', 'test/deployment/jest.config.js'], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${programs}:${process.env.PATH}`, TEST_DATABASE_URL: server.url },
});
const [code] = await once(jest, 'exit');
await server.stop();
process.exit(code ?? 1);
