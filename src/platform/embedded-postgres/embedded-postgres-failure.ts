import { isNativeError } from 'node:util/types';

/** Why there is no database: the message is one line for the operator. Its subclasses say what kind of trouble it is. */
export class EmbeddedPostgresFailure extends Error {
  override readonly name: string = this.constructor.name;
}

/** Another living process holds the data directory. Nothing in it was touched. */
export class DataDirectoryBusy extends EmbeddedPostgresFailure {}

/** The directory or the cluster in it cannot be used: path, permission, disk, damage. What stood in it still stands. */
export class DataDirectoryUnusable extends EmbeddedPostgresFailure {
  constructor(dataDir: string, why: string) {
    super(`The data directory ${dataDir} cannot be used: ${why}`);
  }
}

/** This machine cannot run the embedded server at all, whatever the data directory. */
export class EmbeddedPostgresUnavailable extends EmbeddedPostgresFailure {}

const reasons: Partial<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it is not a directory',
  ENOTDIR: 'it lies below something that is not a directory',
  ENOTEMPTY: 'a directory that is no database cluster is in the way',
};

/** The `code` of a system error (`ENOENT`, …), undefined for every other value. */
export function errorCode(error: unknown): string | undefined {
  // isNativeError also knows the errors of another realm, which `instanceof` does not.
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function textProperty(error: object, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}

/** Turns the system errors an operator can mend into one line; programming errors stay what they are. */
export function toFailure(dataDir: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || !isNativeError(error)) return error;
  const file = textProperty(error, 'path');
  const call = textProperty(error, 'syscall');
  if (call === '') return error;
  if (call.startsWith('spawn')) {
    const remedy = 'set DATABASE_URL to a PostgreSQL of your own';
    return new EmbeddedPostgresUnavailable(`${file} does not run on this machine (${code}): ${remedy}`);
  }
  const reason = reasons[code];
  if (reason === undefined) return new DataDirectoryUnusable(dataDir, error.message);
  return new DataDirectoryUnusable(dataDir, file === '' || file === dataDir ? reason : `${reason} (${file})`);
}
