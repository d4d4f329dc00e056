import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Errors of a file or of its folder: it is gone, or may not be written. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']);
/** Errors of the disk, which may not name a file. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EIO']);

/** The folder for temporary files cannot be used. The operator has to restore it, or to set `TMPDIR`. */
export class TemporaryFolderUnusable extends Error {
  override readonly name = 'TemporaryFolderUnusable';

  constructor(
    /** Of the operating system, such as `ENOENT` or `ENOSPC`. */
    readonly code: string,
    cause: unknown,
  ) {
    super(`The folder for temporary files ${tmpdir()} cannot be used: ${code}.`, { cause });
  }
}

/**
 * Runs work with a folder that only this process can read, and deletes the folder after that.
 * @param name what its name begins with
 * @throws TemporaryFolderUnusable, also if it becomes unusable while the work runs; and what the work throws
 */
export async function withTemporaryFolder<R>(name: string, work: (folder: string) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-${process.pid}-`)).catch(unusable);
  try {
    return await work(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code !== undefined && isOfFolder(error, code, folder)) throw new TemporaryFolderUnusable(code, error);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(unusable);
  }
}

function unusable(error: unknown): never {
  throw new TemporaryFolderUnusable(codeOf(error) ?? 'unknown', error);
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Errors of connections have other codes, or no path. */
function isOfFolder(error: unknown, code: string, folder: string): boolean {
  if (FULL.has(code)) return true;
  const path = error instanceof Error && 'path' in error ? error.path : undefined;
  return MISSING.has(code) && typeof path === 'string' && path.startsWith(folder);
}
