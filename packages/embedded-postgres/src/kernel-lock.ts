import { spawn } from 'node:child_process';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { giveToDirectoryOwner } from './directory-owner.js';
import { errorCode } from './embedded-postgres-failure.js';
import { ProgramFailed, programEnv, runProgram } from './program-run.js';

/**
 * An open file. `acquired`: the lock lasts until this process and all programs that have inherited the file have closed it,
 * also if they are killed. `busy`: another process has the lock. `unsupported`: the file system has no locks, or this
 * machine no program that acquires one.
 */
export type FileLock = { state: 'acquired' | 'unsupported'; handle: FileHandle } | { state: 'busy' };

/** Creates the file if it does not exist, and tries to lock it as flock(2) does. Throws system errors. */
export async function lockFile(file: string): Promise<FileLock> {
  return process.platform === 'linux' ? lockWithProgram(file) : lockWhileOpening(file);
}

const openForLock = (file: string, flags = 0): Promise<FileHandle> =>
  open(file, constants.O_RDWR | constants.O_CREAT | flags, 0o644);

/** Node.js has no flock(2). The program locks the open file that it shares with this process, and ends. */
async function lockWithProgram(file: string): Promise<FileLock> {
  const handle = await openForLock(file);
  try {
    await giveToDirectoryOwner(file);
    const state = await flock(handle);
    if (state !== 'busy') return { state, handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return { state: 'busy' };
}

async function flock({ fd }: FileHandle): Promise<FileLock['state']> {
  const child = spawn('flock', ['-n', '3'], { env: programEnv, stdio: ['ignore', 'ignore', 'pipe', fd] });
  try {
    await runProgram(child);
    return 'acquired';
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes(errorCode(error) ?? '')) return 'unsupported';
    if (!(error instanceof ProgramFailed) || child.signalCode !== null) throw error;
    // util-linux and BusyBox end with 1 if the lock is not free, and write a message only if it failed.
    return child.exitCode === 1 && error.output.isEmpty ? 'busy' : 'unsupported';
  }
}

/** O_EXLOCK of macOS and the BSDs, which `constants` does not contain. */
const EXCLUSIVE_LOCK = 0x20;

async function lockWhileOpening(file: string): Promise<FileLock> {
  try {
    const handle = await openForLock(file, EXCLUSIVE_LOCK | constants.O_NONBLOCK);
    await giveToDirectoryOwner(file);
    return { state: 'acquired', handle };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EAGAIN') return { state: 'busy' };
    if (code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    return { state: 'unsupported', handle: await openForLock(file) };
  }
}
