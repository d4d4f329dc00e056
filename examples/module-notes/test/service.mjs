// A running service with the module, on an embedded PostgreSQL in a temporary folder.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const PROGRAM = process.env.OUTREACH_PROGRAM ?? join(import.meta.dirname, '../node_modules/outreach/bin/outreach.js');
export const MODULE = join(import.meta.dirname, '../dist/index.js');
const TIMEOUT_MS = 60_000;

export class Service {
  /** @param modules the value of OUTREACH_MODULES */
  static async start(modules = MODULE) {
    const dataDir = await mkdtemp(join(tmpdir(), 'notes-'));
    await chmod(dataDir, 0o755);
    const port = await freePort();
    const service = new Service({ DATA_DIR: join(dataDir, 'data'), PORT: port, OUTREACH_MODULES: modules, LOG_LEVEL: 'warn' });
    service.dataDir = dataDir;
    service.url = `http://127.0.0.1:${port}`;
    try {
      await service.serve();
    } catch (error) {
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
    return service;
  }

  constructor(env) {
    this.env = { PATH: process.env.PATH, ...env };
  }

  async serve() {
    this.child = spawn(process.execPath, [PROGRAM, 'serve'], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.log = '';
    this.child.stderr.on('data', (text) => (this.log += text));
    const ended = once(this.child, 'close').then(() => {
      throw new Error(this.log);
    });
    await Promise.race([once(this.child.stdout, 'data'), ended]);
    ended.catch(() => undefined);
  }

  async stop() {
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'close');
    }
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Runs `outreach …`, and returns its exit code and output. */
  async command(...args) {
    const running = promisify(execFile)(process.execPath, [PROGRAM, ...args], { env: this.env });
    return running.then(({ stdout }) => ({ code: 0, stdout }), ({ code, stdout, stderr }) => ({ code, stdout, stderr }));
  }

  /** A client of a new workspace. */
  async workspace(options = [], permissions) {
    const { stdout } = await this.command('workspace', 'create', '--name', 'Test', '--json', ...options);
    const { id } = JSON.parse(stdout);
    const granted = permissions ? ['--permissions', permissions] : [];
    const token = await this.command('token', 'create', '--workspace', id, '--name', 'test', '--json', ...granted);
    return { id, request: (method, path, body) => this.request(JSON.parse(token.stdout).token, method, path, body) };
  }

  async request(token, method, path, body) {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
}

/** Waits until `read` returns something. */
export async function eventually(read) {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await pause(100)) {
    const found = await read();
    if (found) return found;
  }
  throw new Error('The condition did not become true.');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return String(port);
}
