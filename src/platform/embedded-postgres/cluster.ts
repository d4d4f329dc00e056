import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.js';
import { type DataDirectory, syncDirectory, unfinishedPrefix, writePassword } from './data-directory.js';
import { errorCode } from './embedded-postgres-failure.js';
import type { Launcher } from './launcher.js';
import { ProgramFailed, runProgram } from './program-run.js';

/** Everything that the programs need to know: where the data lies, which programs, and as whom they run. */
export interface Installation {
  readonly directory: DataDirectory;
  readonly binaries: Binaries;
  readonly launcher: Launcher;
}

/**
 * Names of what the C library takes for letters, the best first; systems have one or the other. pg_trgm asks it, and in
 * "C" only ASCII has letters: a search in another script would read the whole trigram index.
 */
const ctypes = ['C.UTF-8', 'UTF-8', 'C'] as const;

/** Role and database of the service. */
export const databaseOwner = 'outreach';

async function isCluster(directory: string): Promise<boolean> {
  try {
    await stat(path.join(directory, 'PG_VERSION'));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Removes what a process that was killed in the middle of `createCluster` left. */
async function removeUnfinished(directory: DataDirectory): Promise<void> {
  const names = (await readdir(directory.root)).filter((name) => name.startsWith(unfinishedPrefix));
  // An initdb that outlived its parent may still be writing there, hence the retries.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 };
  await Promise.all(names.map((name) => rm(path.join(directory.root, name), options)));
}

/**
 * Makes the cluster unless it is there: complete with role, database and password, or not at all.
 * @param durable false saves the fsync of some thousand files, for tests.
 * @throws ProgramFailed from initdb, system errors from the directory; both leave nothing behind.
 */
export async function ensureCluster(installation: Installation, durable: boolean): Promise<void> {
  const { directory, launcher } = installation;
  if (await isCluster(directory.cluster)) return launcher.giveTreeToAccount(directory.cluster);
  await removeUnfinished(directory);
  const workDirectory = await mkdtemp(path.join(directory.root, unfinishedPrefix));
  try {
    await launcher.giveToAccount(workDirectory);
    const cluster = path.join(workDirectory, 'cluster');
    await initialise(installation, cluster, durable);
    const password = randomPassword();
    await createDatabase(installation, cluster, password);
    await writePassword(directory, password);
    await rename(cluster, directory.cluster);
    await syncDirectory(directory.root);
  } finally {
    await rm(workDirectory, { recursive: true, force: true });
  }
}

async function initialise({ binaries, launcher }: Installation, cluster: string, durable: boolean): Promise<void> {
  const passwordFile = path.join(path.dirname(cluster), 'superuser');
  // initdb wants a superuser with a password. Nobody ever learns it: the service works with an ordinary role.
  await writeFile(passwordFile, `${randomPassword()}\n`, { mode: 0o600 });
  await mkdir(cluster, { mode: 0o700 });
  await launcher.giveToAccount(passwordFile);
  await launcher.giveToAccount(cluster);
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = ['-D', cluster, ...access, ...locale, '--no-instructions', ...(durable ? [] : ['--no-sync'])];
  for (const ctype of ctypes) {
    try {
      return await runProgram(launcher.spawn(binaries.initdb, [...args, `--lc-ctype=${ctype}`]));
    } catch (error) {
      if (ctype === 'C' || !isUnknownLocale(error)) throw error;
    }
  }
}

const isUnknownLocale = (error: unknown): boolean =>
  error instanceof ProgramFailed && error.output.includes('invalid locale name');

/** Single-user mode needs neither a port nor a login, so the cluster is complete before anybody can see it. */
async function createDatabase({ binaries, launcher }: Installation, cluster: string, password: string): Promise<void> {
  // No statement in error messages: it holds the password.
  const settings = ['exit_on_error=on', 'log_min_error_statement=panic', 'log_checkpoints=off'];
  const args = ['--single', '-D', cluster, ...settings.flatMap((setting) => ['-c', setting]), 'postgres'];
  // CREATEDB, as tests clone databases; not superuser, as on any managed PostgreSQL: such a role reads server files.
  const statements = [
    `CREATE ROLE ${databaseOwner} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${databaseOwner} OWNER ${databaseOwner}`,
  ];
  await runProgram(launcher.spawn(binaries.postgres, args), statements.map((statement) => `${statement};\n`).join(''));
}
