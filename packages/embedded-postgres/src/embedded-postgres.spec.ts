import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgresProcesses, type ProcessOptions } from '../../../test/support/embedded-postgres-process.js';
import { TIME_FACTOR } from '../../../test/support/eventually.js';
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
/** Cases that only root can set up. */
const itAsRoot = (name: string, test: () => Promise<void>): void => {
  if (root) it(name, test);
};
const settings = { fsync: 'off', shared_buffers: '16MB' };
/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 60_000 * TIME_FACTOR;

let tempDir: string;
let native: string;
let processes: EmbeddedPostgresProcesses;

beforeAll(async () => {
  tempDir = await mkdtemp(path.join(tmpdir(), 'embedded-postgres-'));
  await chmod(tempDir, 0o755);
  native = path.resolve((await findBinaries()).postgres, '..', '..');
  processes = await EmbeddedPostgresProcesses.compile(path.join(tempDir, 'compiled'));
});
afterEach(() => processes.kill());
afterAll(() => rm(tempDir, { recursive: true, force: true }));

/** Opens the database in another process, on the programs of the package. */
const inAnotherProcess = (options: object, then = '', account: ProcessOptions = {}) =>
  processes.open({ settings, binariesDir: native, ...options }, then, account);

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const unprivileged = root ? { uid: 65534, gid: 65534 } : {};

/** Copies the programs to a new folder, without the links that npm packages cannot contain. */
async function copyWithoutLinks(folder: string) {
  const links: { target: string }[] = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'));
  const targets = new Set(links.map(({ target }) => path.join(path.dirname(native), target)));
  await cp(native, folder, { recursive: true, filter: (file) => !targets.has(file) });
}

async function postmasterOf(dataDir: string) {
  const [pid] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

describe('embedded PostgreSQL', () => {
  let dataDir: string;
  let binariesDir: string;
  let server: EmbeddedPostgres | undefined;

  const open = async (as: 'server' | 'command' = 'server', lockTimeoutMs = TIMEOUT_MS) =>
    openEmbeddedPostgres({ dataDir, as, settings, binariesDir, lockTimeoutMs });

  beforeAll(async () => {
    // As root, data and programs are below a directory that only root may enter.
    const home = path.join(tempDir, 'home');
    await mkdir(home, { mode: 0o700 });
    binariesDir = root ? path.join(home, 'native') : native;
    if (root) await copyWithoutLinks(binariesDir);
    dataDir = path.join(home, 'not', 'there', 'yet');
    await mkdir(path.join(dataDir, 'postgres.new-killed', 'cluster'), { recursive: true });
    server = await open();
    await query(server.url, 'CREATE TABLE entries (word text)');
    await query(server.url, `INSERT INTO entries VALUES ('first')`);
    await server.stop();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  describe('that runs for a server process', () => {
    let running: EmbeddedPostgres;
    beforeAll(async () => {
      running = await open();
    });
    afterAll(() => running.stop());

    it('has a complete cluster after the first start', async () => {
      expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.lock', 'postgres.password']);
      expect((await stat(path.join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
      expect(running.url).toMatch(/^postgres:\/\/outreach:[\w-]{32}@127\.0\.0\.1:\d+\/outreach$/);
      const [facts] = await query(
        running.url,
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

    it('lets its role create extensions, schemas and databases, and rejects connections without the password', async () => {
      await query(running.url, 'CREATE EXTENSION IF NOT EXISTS pg_trgm');
      await query(running.url, 'CREATE SCHEMA IF NOT EXISTS queue');
      await query(running.url, 'CREATE DATABASE other');
      await expect(query(running.url.replace(/:[\w-]{32}@/, ':guess@'), 'SELECT 1')).rejects.toThrow(
        'password authentication',
      );
      await expect(query(running.url.replace(/outreach:[\w-]{32}@/, 'postgres@'), 'SELECT 1')).rejects.toThrow();
    });

    it('has the data of the previous start', async () => {
      expect(await query(running.url, 'SELECT word FROM entries')).toEqual([{ word: 'first' }]);
    });

    it('refuses to start a second time, and the first server continues to run', async () => {
      await expect(open()).rejects.toThrow(DataDirectoryBusy);
      await expect(open()).rejects.toThrow(`(server, pid ${process.pid}): stop it first`);
      expect(await query(running.url, 'SELECT word FROM entries')).toHaveLength(1);
    });

    it('lets commands attach, and continues to run when they stop', async () => {
      const command = await open('command');
      expect(command.url).toBe(running.url);
      await command.stop();
      expect(await query(running.url, 'SELECT word FROM entries')).toHaveLength(1);
    });

    itAsRoot('restores the missing links and runs below a directory that only root may enter', async () => {
      expect((await stat(path.join(tempDir, 'home'))).mode & 0o777).toBe(0o700);
      expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });

  it('runs for one command at a time; the next command and a server wait until it stops', async () => {
    const first = await open('command');
    await expect(open('command', 0)).rejects.toThrow(DataDirectoryBusy);
    const second = open('command');
    expect(await query(first.url, 'SELECT word FROM entries')).toHaveLength(1);
    await first.stop();
    const third = open('server');
    expect(await query((await second).url, 'SELECT word FROM entries')).toHaveLength(1);
    await (await second).stop();
    server = await third;
    expect(await query(server.url, 'SELECT word FROM entries')).toHaveLength(1);
  });

  it('resolves `exited` when PostgreSQL ends by itself', async () => {
    server = await open();
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    expect(await server.exited).toBe('PostgreSQL ended by itself (SIGKILL)');
  });

  it('stops the PostgreSQL of an owner that was killed, and has its data', async () => {
    const owner = inAnotherProcess({ dataDir, as: 'server' });
    await query(await owner.line(0), `INSERT INTO entries VALUES ('before the kill')`);
    const orphan = await postmasterOf(dataDir);
    owner.child.kill('SIGKILL');
    await once(owner.child, 'exit');
    expect(await processTable.commandLine(orphan)).toContain(dataDir);
    server = await open();
    expect(await processTable.commandLine(orphan)).toBe('');
    expect(await query(server.url, `DELETE FROM entries WHERE word <> 'first' RETURNING word`)).toHaveLength(1);
  });

  it('starts although the number in a stale PID file belongs to another process', async () => {
    const other = processes.add(spawn('sleep', ['300'], { ...unprivileged }));
    const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(pidFile, `${other.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n 1 2\nready   \n`, {
      mode: 0o600,
    });
    const { uid, gid } = await stat(path.join(dataDir, 'postgres'));
    await chown(pidFile, uid, gid);
    server = await open();
    expect(other.exitCode).toBeNull();
  });

  it('continues to run after a Ctrl-C that its owner handles', async () => {
    const then = `process.once('SIGINT', async () => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      print('still ' + (await client.query('SELECT word FROM entries')).rows[0].word);
      await client.end();
      await server.stop();
      print('stopped');
    }); print('waiting')`;
    const owner = inAnotherProcess({ dataDir, as: 'server' }, then);
    expect(await owner.line(1)).toBe('waiting');
    process.kill(-(owner.child.pid ?? 0), 'SIGINT');
    expect(await owner.line(2)).toBe('still first');
    expect(await owner.line(3)).toBe('stopped');
  });

  it("reports PostgreSQL's own message if the cluster is of another version, and starts when that is corrected", async () => {
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

  it('reports a missing password file, and starts when it is back', async () => {
    const file = path.join(dataDir, 'postgres.password');
    const password = await readFile(file);
    await unlink(file);
    await expect(open()).rejects.toThrow(`${file} is missing`);
    await writeFile(file, password, { mode: 0o600 });
    server = await open();
  });
});

describe('a data directory whose first start was killed', () => {
  let dataDir: string;
  const unfinished = async () => (await readdir(dataDir)).some((name) => name.startsWith('postgres.new-'));

  beforeAll(async () => {
    dataDir = path.join(tempDir, 'killed');
    await mkdir(dataDir);
    if (root) await chown(dataDir, 65534, 65534);
    const { child } = inAnotherProcess({ dataDir, as: 'server' }, '', unprivileged);
    // On a slow machine the database may be complete before this is noticed.
    const hasBegun = async () => (await unfinished()) || (await readdir(dataDir)).includes('postgres');
    expect(await pollUntil(hasBegun, TIMEOUT_MS)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('gets a complete cluster at the next start', async () => {
    const then = `const client = new Client({ connectionString: server.url });
      await client.connect();
      print(JSON.stringify((await client.query('SELECT 1 AS one')).rows));
      await client.end();
      await server.stop();
      print('stopped');`;
    const { line } = inAnotherProcess({ dataDir, as: 'command' }, then, unprivileged);
    expect(await line(0)).toMatch(/^postgres:/);
    expect(await line(1)).toBe('[{"one":1}]');
    expect(await line(2)).toBe('stopped');
    expect(await unfinished()).toBe(false);
  });

  itAsRoot('belongs to the same user after root has started the server in it', async () => {
    const password = path.join(dataDir, 'postgres.password');
    await chown(password, 0, 0);
    const server = await openEmbeddedPostgres({ dataDir, as: 'server', settings });
    await server.stop();
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(65534);
    expect((await stat(password)).uid).toBe(65534);
  });
});

describe('a data directory that root starts the server in for the first time', () => {
  /** @returns the owner and the mode of the new cluster, and the owners of the lock and of the password */
  async function clusterIn(uid: number) {
    const dataDir = path.join(tempDir, `owned-by-${uid}`);
    await mkdir(dataDir, { mode: 0o755 });
    await chown(dataDir, uid, uid);
    const server = await openEmbeddedPostgres({ dataDir, as: 'server', settings });
    await server.stop();
    const cluster = await stat(path.join(dataDir, 'postgres'));
    const others = await Promise.all(
      ['postgres.lock', 'postgres.password'].map((name) => stat(path.join(dataDir, name))),
    );
    return [cluster.uid, cluster.mode & 0o777, ...others.map((other) => other.uid)];
  }

  itAsRoot(
    'gets a cluster, a lock and a password of the account that owns the directory, closed to others',
    async () => {
      expect(await clusterIn(1)).toEqual([1, 0o700, 1, 1]);
    },
  );

  itAsRoot('gets a cluster of nobody if the directory belongs to root or to a user ID without a name', async () => {
    expect(await clusterIn(0)).toEqual([65534, 0o700, 0, 0]);
    expect(await clusterIn(987_654)).toEqual([65534, 0o700, 987_654, 987_654]);
  });
});

describe('a data directory that cannot be used', () => {
  it('is reported and not changed if it is a file or below a file', async () => {
    const file = path.join(tempDir, 'file');
    await writeFile(file, 'mine');
    const tries = [file, path.join(file, 'below')].map((dataDir) => openEmbeddedPostgres({ dataDir, as: 'server' }));
    await expect(tries[0]).rejects.toThrow(`The data directory ${file} cannot be used: it is not a directory`);
    await expect(tries[1]).rejects.toThrow(DataDirectoryUnusable);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it('is reported if an ordinary user may not write to it', async () => {
    const dataDir = path.join(tempDir, 'closed');
    await mkdir(dataDir, { mode: 0o555 });
    const { line } = inAnotherProcess({ dataDir, as: 'server' }, '', unprivileged);
    expect(await line(0)).toMatch(/^DataDirectoryUnusable .*closed cannot be used: permission denied/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('stays empty if the programs do not run on this machine', async () => {
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
