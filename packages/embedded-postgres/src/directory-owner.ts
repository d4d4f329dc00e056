import { lchown, lstat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './embedded-postgres-failure.js';

/**
 * Makes the owner of a file's directory the owner of the file, if root runs this process, so that the service can run as
 * that account later. Does not follow links. Does nothing if the file does not exist.
 */
export async function giveToDirectoryOwner(file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  try {
    const [directory, current] = await Promise.all([lstat(path.dirname(file)), lstat(file)]);
    if (current.uid !== directory.uid) await lchown(file, directory.uid, directory.gid);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
