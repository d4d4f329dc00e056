import { chmod, mkdir, open, readFile, realpath, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { giveToDirectoryOwner } from './directory-owner.js';
import { DataDirectoryUnusable, errorCode } from './embedded-postgres-failure.js';

/** Paths in the data directory: absolute and with links resolved, so that they are the same in every process. */
export interface DataDirectory {
  readonly root: string;
  readonly cluster: string;
  readonly locks: string;
  /** The file in `locks` that the kernel locks. It is never removed. */
  readonly kernelLock: string;
  readonly password: string;
}

/** Directories whose names start with this are unfinished clusters. */
export const unfinishedPrefix = 'postgres.new-';

async function isDirectory(directory: string): Promise<boolean> {
  try {
    return (await stat(directory)).isDirectory();
  } catch {
    // mkdir has failed before, and its error says more.
    return false;
  }
}

/** @returns the directory of the database's files in a data directory */
export const clusterOf = (root: string): string => path.join(root, 'postgres');

/** mkdir's option `recursive` fails with ENOENT on a read-only disk, and never returns below /proc. */
async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory);
  } catch (error) {
    if (await isDirectory(directory)) return;
    const parent = path.dirname(directory);
    if (errorCode(error) !== 'ENOENT' || (await isDirectory(parent))) throw error;
    await makeDirectory(parent);
    await makeDirectory(directory);
  }
}

/** Creates the directory and its parents if they do not exist. Throws system errors. */
export async function prepareDataDirectory(dataDir: string): Promise<DataDirectory> {
  await makeDirectory(dataDir);
  const directory = await existingDataDirectory(dataDir);
  await makeDirectory(directory.locks);
  await giveToDirectoryOwner(directory.locks);
  return directory;
}

/** Like {@link prepareDataDirectory}, but creates nothing. Throws system errors. */
export async function existingDataDirectory(dataDir: string): Promise<DataDirectory> {
  const root = await realpath(dataDir);
  const locks = path.join(root, 'postgres.lock');
  return {
    root,
    locks,
    kernelLock: path.join(locks, 'lock'),
    cluster: clusterOf(root),
    password: path.join(root, 'postgres.password'),
  };
}

/** Replaces the file atomically and durably; only its owner, that of the directory, may read it. */
export async function writePassword(directory: DataDirectory, password: string): Promise<void> {
  const draft = `${directory.password}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${password}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(draft, 0o600);
  await giveToDirectoryOwner(draft);
  await rename(draft, directory.password);
}

/** Returns the password of the service's role. @throws DataDirectoryUnusable if the file is missing or not readable */
export async function readPassword(directory: DataDirectory): Promise<string> {
  try {
    return (await readFile(directory.password, 'utf8')).trim();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') throw new DataDirectoryUnusable(directory.root, `${directory.password} is missing`);
    if (code !== 'EACCES') throw error;
    const reason = 'it belongs to another account: run this command as the account that runs the server';
    throw new DataDirectoryUnusable(directory.root, reason);
  }
}

/** Makes renames in a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
