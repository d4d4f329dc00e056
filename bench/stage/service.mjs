// A really started service on an embedded PostgreSQL of its own, durable as in production.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/index.js';

const KEY = 'a key that only benchmarks use';

/** @returns a service with a workspace, a token, and a connection to its database */
export async function startStage(env = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-bench-'));
  const postgres = await openEmbeddedPostgres({ dataDir, as: 'server' });
  const port = await freePort();
  const settings = {
    ...process.env,
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEY: KEY,
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'warn',
    PORT: String(port),
    ...env,
  };
  const outreach = (...args) => spawn(process.execPath, ['bin/outreach.js', ...args], { env: settings });
  const service = outreach('serve');
  service.stderr.pipe(process.stderr);
  // A benchmark that fails leaves nothing running.
  process.once('uncaughtException', async (error) => {
    console.error(error);
    // Connections that end with the database are no news.
    process.on('uncaughtException', () => undefined);
    service.kill('SIGKILL');
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
    process.exit(1);
  });
  await said(service, 'listening on');
  const workspace = await json(outreach('workspace', 'create', '--name', 'Bench', '--json'));
  const { token } = await json(
    outreach('token', 'create', '--workspace', String(workspace.id), '--name', 'bench', '--json'),
  );
  const database = new pg.Pool({ connectionString: postgres.url, max: 4 });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    pid: service.pid,
    token,
    workspaceId: workspace.id,
    database,
    databaseUrl: postgres.url,
    call: (method, path, body) => call(`http://127.0.0.1:${port}/v1${path}`, token, method, body),
    stop: async () => {
      service.kill('SIGTERM');
      await once(service, 'exit');
      await database.end();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function call(url, token, method, body) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

async function said(child, words) {
  for await (const chunk of child.stdout) if (chunk.toString().includes(words)) return;
  throw new Error(`The service ended without a word of "${words}"`);
}

async function json(child) {
  let text = '';
  child.stderr.pipe(process.stderr);
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text);
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
