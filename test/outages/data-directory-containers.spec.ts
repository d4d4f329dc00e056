import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { findBinaries } from '../../packages/embedded-postgres/src/binaries.js';
import {
  DataDirectoryBusy,
  type EmbeddedPostgres,
  findRunning,
  openEmbeddedPostgres,
} from '@outreach/embedded-postgres';
import { EmbeddedPostgresProcesses } from '../support/embedded-postgres-process.js';
import { eventually, TIME_FACTOR } from '../support/eventually.js';

/** As in two containers: neither sees the processes or the shared memory of the other. All end with the first. Only root may do this. */
const CONTAINER = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child'];
/** The same with an init process, so that the others go on if one of them ends. */
const CONTAINER_WITH_INIT = [...CONTAINER, 'sh', '-c', 'exec 2>/dev/null; "$@" & wait $!; sleep 300', 'sh'];

const settings = { fsync: 'off', shared_buffers: '16MB' };
const lockTimeoutMs = 60_000 * TIME_FACTOR;
const REFUSED = /^DataDirectoryBusy The data directory \S+ is used by a server in another container .*docker exec/;

/** JavaScript for the other process. */
const INSERT = `const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query("INSERT INTO entries VALUES ('there')");
  await client.end();
  print('inserted');`;

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ word: string }>(sql)).rows.map(({ word }) => word);
  } finally {
    await client.end();
  }
}

describe('a data directory that two containers share', () => {
  let folder: string;
  let dataDir: string;
  let binariesDir: string;
  let processes: EmbeddedPostgresProcesses;
  let server: EmbeddedPostgres | undefined;

  const open = async () => openEmbeddedPostgres({ dataDir, as: 'server', settings, lockTimeoutMs });
  const inContainer = (as: 'server' | 'command', then = '', wrapper = CONTAINER) =>
    processes.open({ dataDir, as, settings, lockTimeoutMs, binariesDir }, then, { wrapper });
  const words = async () => {
    // After a kill, the last processes of a container may need some time.
    const opened = await eventually(open);
    server = opened;
    return query(opened.url, 'SELECT word FROM entries ORDER BY word');
  };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'containers-'));
    await chmod(folder, 0o755);
    binariesDir = path.resolve((await findBinaries()).postgres, '..', '..');
    processes = await EmbeddedPostgresProcesses.compile(path.join(folder, 'compiled'));
  });
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(folder, 'data-'));
    server = await open();
    await query(server.url, `CREATE TABLE entries AS SELECT 'here' AS word`);
  });
  afterEach(async () => {
    processes.kill();
    await server?.stop();
    server = undefined;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is refused to servers and commands of the second one, and the first one loses nothing', async () => {
    const others = [inContainer('server'), inContainer('command')];
    for (const other of others) expect(await other.line(0)).toMatch(REFUSED);
    expect(await query(server?.url ?? '', `INSERT INTO entries VALUES ('after') RETURNING word`)).toEqual(['after']);
    await server?.stop();
    expect(await words()).toEqual(['after', 'here']);
  });

  it('is free as soon as the first one was killed', async () => {
    await server?.stop();
    const first = inContainer('server', INSERT);
    expect(await first.line(1)).toBe('inserted');
    await expect(findRunning(dataDir)).rejects.toThrow(DataDirectoryBusy);
    await expect(open()).rejects.toThrow(/docker exec/);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    expect(await words()).toEqual(['here', 'there']);
  });

  it('is refused while PostgreSQL runs in the first one, although its owner was killed', async () => {
    await server?.stop();
    const first = inContainer('server', `${INSERT} process.kill(process.pid, 'SIGKILL');`, CONTAINER_WITH_INIT);
    expect(await first.line(1)).toBe('inserted');
    await expect(open()).rejects.toThrow(/docker exec/);
    expect(await inContainer('command').line(0)).toMatch(REFUSED);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    expect(await words()).toEqual(['here', 'there']);
  });

  it('is refused while its owner runs, although PostgreSQL was killed', async () => {
    const [pid] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    expect(await server?.exited).toMatch(/SIGKILL/);
    expect(await inContainer('command').line(0)).toMatch(REFUSED);
    await server?.stop();
    expect(await inContainer('command').line(0)).toMatch(/^postgres:/);
  });

  it('is refused while the first one has a heartbeat, if the file system has no locks', async () => {
    await server?.stop();
    const noLocks = path.join(folder, 'flock');
    await writeFile(noLocks, '#!/bin/sh\necho "flock: 3: No locks available" >&2\nexit 71\n', { mode: 0o755 });
    const replaceProgram = `mount --bind ${noLocks} "$(command -v flock)" && exec "$@"`;
    const wrapper = [...CONTAINER, '--mount', 'sh', '-c', replaceProgram, 'sh'];
    const first = inContainer('server', INSERT, wrapper);
    expect(await first.line(1)).toBe('inserted');
    expect(await inContainer('command', '', wrapper).line(0)).toMatch(REFUSED);
    await expect(open()).rejects.toThrow(DataDirectoryBusy);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = inContainer('command', `${INSERT} await server.stop(); print('stopped');`, wrapper);
    expect(await second.line(2)).toBe('stopped');
    expect(await words()).toEqual(['here', 'there', 'there']);
  });

  it('is created once if both start for the first time', async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true });
    const others = [inContainer('server'), inContainer('server')];
    const lines = await Promise.all(others.map((other) => other.line(0)));
    expect(lines.sort()).toEqual([expect.stringMatching(REFUSED), expect.stringMatching(/^postgres:/)]);
    processes.kill();
    await eventually(async () => {
      server = await openEmbeddedPostgres({ dataDir, as: 'server', settings });
    });
  });
});
