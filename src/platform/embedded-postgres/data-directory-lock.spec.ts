import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataDirectoryLock, type LockResult, acquireLock } from './data-directory-lock.js';
import { type DataDirectory, prepareDataDirectory } from './data-directory.js';
import { DataDirectoryBusy } from './embedded-postgres-failure.js';

let directory: DataDirectory;
beforeEach(async () => {
  directory = await prepareDataDirectory(await mkdtemp(path.join(tmpdir(), 'claim-')));
});
afterEach(() => rm(directory.root, { recursive: true, force: true }));

const lockFile = (number: number) => path.join(directory.locks, String(number));

function lockOf(result: LockResult) {
  if (result.kind !== 'acquired') throw new Error('attached instead of claimed');
  return result.lock;
}

describe('the claim on a data directory', () => {
  it('goes to one of many contenders, also over the claim of a dead process', async () => {
    const dead = spawn('true');
    await once(dead, 'exit');
    await writeFile(lockFile(7), `${dead.pid}\nlong ago\nserver\n5432\n`);
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => acquireLock(directory, 'server', 1_000)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const losers = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    for (const loser of losers) expect(loser).toBeInstanceOf(DataDirectoryBusy);
    expect(await readdir(directory.locks)).toEqual(['8']);
  });

  it('is free when its number belongs to another process by now', async () => {
    await writeFile(lockFile(3), `${process.pid}\nsomebody earlier\nserver\n\n`);
    expect((await acquireLock(directory, 'server', 0)).kind).toBe('acquired');
  });

  it('is free again when released, and can be taken over and over', async () => {
    for (let round = 0; round < 3; round++) await lockOf(await acquireLock(directory, 'server', 0)).release();
    expect(await readdir(directory.locks)).toEqual(['3']);
    expect(await readFile(lockFile(3), 'utf8')).toBe('');
  });

  it('of a server leads commands to its port as soon as it is known', async () => {
    const lock = lockOf(await acquireLock(directory, 'server', 0));
    const waiting = acquireLock(directory, 'command', 5_000);
    await expect(acquireLock(directory, 'command', 0)).rejects.toThrow(DataDirectoryBusy);
    await lock.publishPort(4711);
    expect(await waiting).toEqual({ kind: 'running', port: 4711 });
  });

  it('of a command makes everybody wait for its end', async () => {
    const first = lockOf(await acquireLock(directory, 'command', 0));
    await first.publishPort(4711);
    await expect(acquireLock(directory, 'server', 0)).rejects.toThrow(
      `The data directory ${directory.root} is used by another process (command, pid ${process.pid}), and it does not finish`,
    );
    const second = acquireLock(directory, 'command', 5_000);
    await first.release();
    await lockOf(await second).release();
  });

  it('does not go to somebody slow who takes a number that was cleared away', async () => {
    for (let round = 0; round < 2; round++) await lockOf(await acquireLock(directory, 'server', 0)).release();
    expect(await DataDirectoryLock.tryAcquire(directory.locks, 1, 'server')).toBeUndefined();
    expect(await readdir(directory.locks)).toEqual(['2']);
  });

  it('survives that the directory was removed under it', async () => {
    const lock = lockOf(await acquireLock(directory, 'server', 0));
    await rm(directory.root, { recursive: true });
    await lock.release();
  });
});
