import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TIME_FACTOR } from '../../../test/support/eventually.js';
import { DataDirectoryLock, type LockResult, acquireLock } from './data-directory-lock.js';
import { type DataDirectory, prepareDataDirectory } from './data-directory.js';
import { DataDirectoryBusy } from './embedded-postgres-failure.js';

/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 60_000 * TIME_FACTOR;

let directory: DataDirectory;
beforeEach(async () => {
  directory = await prepareDataDirectory(await mkdtemp(path.join(tmpdir(), 'lock-')));
});
afterEach(() => rm(directory.root, { recursive: true, force: true }));

const lockFile = (number: number) => path.join(directory.locks, String(number));

function lockOf(result: LockResult) {
  if (result.kind !== 'acquired') throw new Error('attached instead of acquired');
  return result.lock;
}

describe('the lock of a data directory', () => {
  it('is acquired by one of many contenders if its previous owner is dead', async () => {
    const dead = spawn('true');
    await once(dead, 'exit');
    await writeFile(lockFile(7), `${dead.pid}\nlong ago\nserver\n5432\n`);
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => acquireLock(directory, 'server', TIMEOUT_MS)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const losers = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    for (const loser of losers) expect(loser).toBeInstanceOf(DataDirectoryBusy);
    expect(await readdir(directory.locks)).toEqual(['8']);
  });

  it('is free if the PID of its owner belongs to another process now', async () => {
    await writeFile(lockFile(3), `${process.pid}\nan earlier process\nserver\n\n`);
    expect((await acquireLock(directory, 'server', 0)).kind).toBe('acquired');
  });

  it('can be acquired again after it was released', async () => {
    for (let round = 0; round < 3; round++) await lockOf(await acquireLock(directory, 'server', 0)).release();
    expect(await readdir(directory.locks)).toEqual(['3']);
    expect(await readFile(lockFile(3), 'utf8')).toBe('');
  });

  it('gives a waiting command the port of the server as soon as that is published', async () => {
    const lock = lockOf(await acquireLock(directory, 'server', 0));
    const waiting = acquireLock(directory, 'command', TIMEOUT_MS);
    await expect(acquireLock(directory, 'command', 0)).rejects.toThrow(DataDirectoryBusy);
    await lock.publishPort(4711);
    expect(await waiting).toEqual({ kind: 'running', port: 4711 });
  });

  it('makes servers and commands wait while a command owns it', async () => {
    const first = lockOf(await acquireLock(directory, 'command', 0));
    await first.publishPort(4711);
    await expect(acquireLock(directory, 'server', 0)).rejects.toThrow(
      `The data directory ${directory.root} is used by another process (command, pid ${process.pid}), and it does not end`,
    );
    const second = acquireLock(directory, 'command', TIMEOUT_MS);
    await first.release();
    await lockOf(await second).release();
  });

  it('is not acquired by a slow process that creates a number that was removed', async () => {
    for (let round = 0; round < 2; round++) await lockOf(await acquireLock(directory, 'server', 0)).release();
    expect(await DataDirectoryLock.tryAcquire(directory.locks, 1, 'server')).toBeUndefined();
    expect(await readdir(directory.locks)).toEqual(['2']);
  });

  it('can be released after the directory was removed', async () => {
    const lock = lockOf(await acquireLock(directory, 'server', 0));
    await rm(directory.root, { recursive: true });
    await lock.release();
  });
});
