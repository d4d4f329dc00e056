import { chmod, lstat, readFile, realpath, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedPostgresUnavailable, errorCode } from './embedded-postgres-failure.js';

/** Absolute paths of the programs, with symbolic links resolved. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The folder `native` of this platform's package, an optional dependency of embedded-postgres. */
function installedFolder(): string {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const dependent = path.dirname(require.resolve('embedded-postgres'));
    return path.resolve(path.dirname(require.resolve(name, { paths: [dependent] })), '..', 'native');
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    const reason = `The embedded PostgreSQL is not available (${name} is not installed)`;
    throw new EmbeddedPostgresUnavailable(`${reason}: set DATABASE_URL to a PostgreSQL server`);
  }
}

function isLinkList(value: unknown): value is { source: string; target: string }[] {
  return (
    Array.isArray(value) &&
    value.every(
      (entry: unknown) => typeof entry === 'object' && entry !== null && 'source' in entry && 'target' in entry,
    )
  );
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** npm packages cannot contain symbolic links; the install script of the package creates them, if scripts are enabled. */
async function restoreLinks(folder: string): Promise<void> {
  const root = path.dirname(folder);
  const list: unknown = JSON.parse(await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8'));
  if (!isLinkList(list))
    throw new EmbeddedPostgresUnavailable(`${folder}/pg-symlinks.json is invalid: reinstall the dependencies`);
  for (const { source, target } of list) {
    const file = path.join(root, target);
    if (await exists(file)) continue;
    try {
      await symlink(path.relative(path.dirname(target), source), file);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST') continue;
      throw new EmbeddedPostgresUnavailable(
        `${file} is missing and cannot be created (${code ?? String(error)}): run "npm rebuild" as the owner of that folder`,
      );
    }
  }
}

async function ensureExecutable(file: string): Promise<void> {
  const mode = (await stat(file)).mode & 0o777;
  if ((mode & 0o111) === 0o111) return;
  try {
    await chmod(file, mode | 0o555);
  } catch (error) {
    // The file belongs to another user. It may be executable nevertheless; if not, starting it reports that.
    if (errorCode(error) !== 'EPERM' && errorCode(error) !== 'EROFS') throw error;
  }
}

/**
 * Finds the programs and makes them executable.
 * @param folder contains `bin/`, `lib/` and `share/`; the installed npm package by default
 * @throws EmbeddedPostgresUnavailable if there are none for this platform, or the installation is incomplete
 */
export async function findBinaries(folder = installedFolder()): Promise<Binaries> {
  const home = await realpath(folder);
  const binaries = { initdb: path.join(home, 'bin', 'initdb'), postgres: path.join(home, 'bin', 'postgres') };
  await restoreLinks(home);
  await Promise.all([binaries.initdb, binaries.postgres].map(ensureExecutable));
  return binaries;
}
