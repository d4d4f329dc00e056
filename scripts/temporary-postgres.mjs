// Starts the PostgreSQL of the operating system with an empty cluster or a copy of another one, and removes it at the end.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEBIAN_VERSIONS = '/usr/lib/postgresql';
/** PostgreSQL does not run as root. */
const UNPRIVILEGED = 65_534;
const PASSWORD = 'postgres';

/** @returns the folder of the programs of the newest version that Debian's packages have installed, if there is one */
export function debianPostgres() {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : [];
  const servers = versions.filter((version) => existsSync(join(DEBIAN_VERSIONS, version, 'bin/initdb')));
  const newest = servers.sort((one, other) => Number(other) - Number(one))[0];
  return newest && join(DEBIAN_VERSIONS, newest, 'bin');
}

/**
 * @param {string} programs
 * @param {{ settings?: readonly string[], primary?: string, files?: Readonly<Record<string, string>>, auth?: 'trust' }} [options]
 *   `name=value`; the URL of the server that this one is a standby of; files to put into the directory of the cluster;
 *   `trust` if servers connect to each other
 * @returns the URL of a superuser, and functions that end the server, and start it again. It does not wait for the disk.
 */
export async function startTemporaryPostgres(
  programs,
  { settings: more = [], primary, files = {}, auth = 'scram-sha-256' } = {},
) {
  const account = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const folder = mkdtempSync(join(tmpdir(), 'outreach-postgres-'));
  if (account.uid) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  chmodSync(folder, 0o700);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (account.uid) chownSync(passwordFile, UNPRIVILEGED, UNPRIVILEGED);
  const data = join(folder, 'data');
  const initialize = ['-D', data, '-U', 'postgres', '-A', auth, `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  const [program, options] = primary
    ? ['pg_basebackup', ['-D', data, '-d', primary, '-R', '-c', 'fast']]
    : ['initdb', [...initialize, '--locale=C.UTF-8']];
  execFileSync(join(programs, program), options, { ...account, stdio: 'ignore' });
  for (const [name, source] of Object.entries(files)) {
    copyFileSync(source, join(data, name));
    chmodSync(join(data, name), 0o600);
    if (account.uid) chownSync(join(data, name), UNPRIVILEGED, UNPRIVILEGED);
  }
  const port = await freePort();
  const settings = [
    'fsync=off',
    'max_connections=600',
    'max_prepared_transactions=8',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    ...more,
  ];
  const parameters = settings.flatMap((setting) => ['-c', setting]);
  let server;
  const start = async () => {
    const options = { ...account, stdio: 'ignore' };
    server = spawn(join(programs, 'postgres'), ['-D', data, '-p', port, ...parameters], options);
    await accepts(join(programs, 'pg_isready'), port, server);
  };
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const end = async (signal) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  const stop = async () => {
    await end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  const kill = async () => {
    // Its children would outlive it.
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' }).split('\n');
    await end('SIGKILL');
    for (const pid of children.map(Number).filter(Boolean)) killIfAlive(pid);
  };
  await start();
  return { url, pid: server.pid, stop, crash: () => end('SIGQUIT'), kill, start };
}

function killIfAlive(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

async function accepts(program, port, server) {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    const [code] = await once(spawn(program, ['-q', '-h', '127.0.0.1', '-p', port]), 'exit');
    if (code === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return String(port);
}
