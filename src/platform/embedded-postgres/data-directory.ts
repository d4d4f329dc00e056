import { chmod, mkdir, open, readFile, realpath, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { DataDirectoryUnusable, errorCode } from './embedded-postgres-failure.js';

/** Where what lies below the data directory; absolute, with all links resolved, so that every process spells it alike. */
export interface DataDirectory {
  readonly root: string;
  readonly cluster: string;
  readonly locks: string;
  readonly password: string;
}

/** Names beginning so are clusters that are still being made. */
export const unfinishedPrefix = 'postgres.new-';

async function isDirectory(directory: string): Promise<boolean> {
  try {
    return (await stat(directory)).isDirectory();
  } catch {
    // Only asked when making it failed: the reason for that is what the operator has to hear.
    return false;
  }
}

/** Not mkdir's own `recursive`: on a read-only disk that says ENOENT, and below /proc it never returns. */
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

/** Makes what is missing of the way to the directory. System errors go to the caller. */
export async function prepareDataDirectory(dataDir: string): Promise<DataDirectory> {
  await makeDirectory(dataDir);
  const root = await realpath(dataDir);
  const locks = path.join(root, 'postgres.lock');
  await makeDirectory(locks);
  return { root, locks, cluster: path.join(root, 'postgres'), password: path.join(root, 'postgres.password') };
}

/** Writes the whole file durably, or leaves the old one; only its owner may read it. */
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
  await rename(draft, directory.password);
}

export async function readPassword(directory: DataDirectory): Promise<string> {
  try {
    return (await readFile(directory.password, 'utf8')).trim();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') throw new DataDirectoryUnusable(directory.root, `${directory.password} is missing`);
    if (code !== 'EACCES') throw error;
    const why = `it belongs to another account: run this command as the account that runs the server`;
    throw new DataDirectoryUnusable(directory.root, why);
  }
}

/** Makes renames in a directory survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
