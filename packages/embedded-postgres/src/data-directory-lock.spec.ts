import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, TIME_FACTOR } from '../../../test/support/eventually.js';
import { DataDirectoryLock, type LockResult, acquireLock } from './data-directory-lock.js';
import { type DataDirectory, prepareDataDirectory } from './data-directory.js';
import { DataDirectoryBusy } from './embedded-postgres-failure.js';
import { lockFile } from './kernel-lock.js';

/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 60_000 * TIME_FACTOR;

let directory: DataDirectory;
beforeEach(async () => {
  directory = await prepareDataDirectory(await mkdtemp(path.join(tmpdir(), 'lock-')));
});
afterEach(() => rm(directory.root, { recursive: true, force: true }));

const fileOf = (number: number) => path.join(directory.locks, String(number));
const numbers = async () => (await readdir(directory.locks)).filter((name) => name !== 'lock');

let locks: DataDirectoryLock[] = [];
afterEach(async () => {
  await Promise.all(locks.map((lock) => lock.release()));
  locks = [];
});

/** The lock is released after the test, if the test does not. */
function lockOf(result: LockResult) {
  if (result.kind !== 'acquired') throw new Error('attached instead of acquired');
  locks.push(result.lock);
  return result.lock;
}

describe('the lock of a data directory', () => {
  it('is acquired by one of many contenders if its previous owner is dead', async () => {
    const dead = spawn('true');
    await once(dead, 'exit');
    await writeFile(fileOf(7), `${dead.pid}\nlong ago\nserver\n5432\n`);
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => acquireLock(directory, 'server', TIMEOUT_MS)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tries) if (one.status === 'fulfilled') lockOf(one.value);
    const losers = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    for (const loser of losers) expect(loser).toBeInstanceOf(DataDirectoryBusy);
    expect(await numbers()).toEqual(['8']);
  });

  it('is free if the PID of its owner belongs to another process now', async () => {
    await writeFile(fileOf(3), `${process.pid}\nan earlier process\nserver\n\n`);
    lockOf(await acquireLock(directory, 'server', 0));
  });

  it('can be acquired again after it was released', async () => {
    for (let round = 0; round < 3; round++) await lockOf(await acquireLock(directory, 'server', 0)).release();
    expect(await numbers()).toEqual(['3']);
    expect(await readFile(fileOf(3), 'utf8')).toBe('');
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
    const lock = await lockFile(directory.kernelLock);
    if (lock.state === 'busy') throw new Error('released, but not free');
    expect(await DataDirectoryLock.tryAcquire(directory.locks, 1, 'server', lock)).toBeUndefined();
    await lock.handle.close();
    expect(await numbers()).toEqual(['2']);
  });

  it('can be released after the directory was removed', async () => {
    const lock = lockOf(await acquireLock(directory, 'server', 0));
    await rm(directory.root, { recursive: true });
    await lock.release();
  });

  it('belongs to the kernel: no process acquires it while a program that inherited it runs', async () => {
    const lock = lockOf(await acquireLock(directory, 'server', 0));
    const heir = spawn('sleep', ['300'], { stdio: ['ignore', 'ignore', 'ignore', lock.descriptor] });
    await once(heir, 'spawn');
    await lock.release();
    await expect(acquireLock(directory, 'server', 0)).rejects.toThrow(
      /a process that is not visible here.*docker exec/,
    );
    heir.kill('SIGKILL');
    await once(heir, 'exit');
    await lockOf(await acquireLock(directory, 'server', TIMEOUT_MS)).release();
  });

  describe('whose owner is on another machine', () => {
    const remote = 'another-boot pid:[1] net:[1]';
    const write = (owner: string) => writeFile(fileOf(4), owner);
    beforeEach(() => writeFile(directory.kernelLock, 'the last heartbeat'));

    it('is busy while the heartbeat of the owner goes on', async () => {
      await write(`1\n${remote} 5\nserver\n5432\n${remote}\nbox-2\nlocked\n`);
      let count = 0;
      const timer = setInterval(() => void writeFile(directory.kernelLock, `${count++}`), 100);
      try {
        await expect(acquireLock(directory, 'command', 0, TIMEOUT_MS)).rejects.toThrow(
          'is used by a server in another container or on another machine (box-2): run commands there ' +
            '(docker exec box-2 outreach …), or stop it first',
        );
        expect(await numbers()).toEqual(['4']);
      } finally {
        clearInterval(timer);
      }
    });

    it('is acquired when the heartbeat has stopped', async () => {
      await write(`1\n${remote} 5\nserver\n5432\n${remote}\nbox-2\n\n`);
      await lockOf(await acquireLock(directory, 'server', 0, 1)).release();
      expect(await numbers()).toEqual(['5']);
    });
  });

  it('has a heartbeat, and tells its owner when another process has taken it', async () => {
    const lock = lockOf(await acquireLock(directory, 'server', 0));
    const heartbeat = () => readFile(directory.kernelLock, 'utf8');
    await eventually(async () => expect(await heartbeat()).not.toBe(''));
    const first = await heartbeat();
    await eventually(async () => expect(await heartbeat()).not.toBe(first));
    await rm(lock.file);
    expect(await lock.lost).toBe(`${lock.file} was removed: another process may use the database`);
    await lock.release();
  });
});
