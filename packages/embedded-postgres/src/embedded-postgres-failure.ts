import { isNativeError } from 'node:util/types';

/** The database cannot be opened. The message is one line for the operator. */
export class EmbeddedPostgresFailure extends Error {
  override readonly name: string = this.constructor.name;
}

/** Another running process uses the data directory. Nothing in it was changed. */
export class DataDirectoryBusy extends EmbeddedPostgresFailure {}

/** The directory or its cluster cannot be used: path, permissions, disk, damaged files. Existing data was not changed. */
export class DataDirectoryUnusable extends EmbeddedPostgresFailure {
  constructor(dataDir: string, reason: string) {
    super(`The data directory ${dataDir} cannot be used: ${reason}`);
  }
}

/** This machine cannot run the embedded server. */
export class EmbeddedPostgresUnavailable extends EmbeddedPostgresFailure {}

const reasons: Partial<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it is not a directory',
  ENOTDIR: 'a parent of it is not a directory',
  ENOTEMPTY: 'a directory that is not a database cluster is in its place',
};

/** Returns the `code` of a system error (`ENOENT`, …), undefined for every other value. */
export function errorCode(error: unknown): string | undefined {
  // Unlike instanceof, isNativeError recognises errors of other realms, as in Jest.
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function textProperty(error: object, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}

/** Turns a system error that the operator can resolve into a failure of one line, and returns every other error. */
export function toFailure(dataDir: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || !isNativeError(error)) return error;
  const file = textProperty(error, 'path');
  const call = textProperty(error, 'syscall');
  if (call === '') return error;
  if (call.startsWith('spawn')) {
    const remedy = 'set DATABASE_URL to a PostgreSQL server';
    return new EmbeddedPostgresUnavailable(`${file} does not run on this machine (${code}): ${remedy}`);
  }
  const reason = reasons[code];
  if (reason === undefined) return new DataDirectoryUnusable(dataDir, error.message);
  return new DataDirectoryUnusable(dataDir, file === '' || file === dataDir ? reason : `${reason} (${file})`);
}
