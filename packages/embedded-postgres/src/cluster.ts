import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.js';
import { type DataDirectory, syncDirectory, unfinishedPrefix, writePassword } from './data-directory.js';
import { errorCode } from './embedded-postgres-failure.js';
import type { Launcher } from './launcher.js';
import { ProgramFailed, runProgram } from './program-run.js';

/** The data directory, the programs, and the account that they run as. */
export interface Installation {
  readonly directory: DataDirectory;
  readonly binaries: Binaries;
  readonly launcher: Launcher;
}

/**
 * Values for LC_CTYPE, the best first; which of them exist depends on the operating system. pg_trgm uses it to recognise
 * letters. With "C" only ASCII letters count, and a search for other scripts reads the whole trigram index.
 */
const ctypes = ['C.UTF-8', 'UTF-8', 'C'] as const;

/** Name of the service's role and of its database. */
export const databaseOwner = 'outreach';

/** Whether a directory contains the files of a PostgreSQL server. */
export async function isCluster(directory: string): Promise<boolean> {
  try {
    await stat(path.join(directory, 'PG_VERSION'));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Removes the unfinished clusters of processes that were killed during {@link ensureCluster}. */
async function removeUnfinished(directory: DataDirectory): Promise<void> {
  const names = (await readdir(directory.root)).filter((name) => name.startsWith(unfinishedPrefix));
  // The initdb of a killed process may still be writing there.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 };
  await Promise.all(names.map((name) => rm(path.join(directory.root, name), options)));
}

/**
 * Creates the cluster with role, database and password unless it exists. It appears complete or not at all.
 * @param durable false skips the fsync of about a thousand files, for tests
 * @throws ProgramFailed if initdb fails, and system errors; both leave nothing behind
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
  // initdb requires a superuser with a password. It is not stored, because the service uses an ordinary role.
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

/** Uses single-user mode, which needs neither a port nor a login: no client can connect before the cluster is complete. */
async function createDatabase({ binaries, launcher }: Installation, cluster: string, password: string): Promise<void> {
  // Error messages must not contain the statement, because the password is part of it.
  const settings = ['exit_on_error=on', 'log_min_error_statement=panic', 'log_checkpoints=off'];
  const args = ['--single', '-D', cluster, ...settings.flatMap((setting) => ['-c', setting]), 'postgres'];
  // CREATEDB, because tests clone databases. Not a superuser, who could read files of the server.
  const statements = [
    `CREATE ROLE ${databaseOwner} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${databaseOwner} OWNER ${databaseOwner}`,
  ];
  await runProgram(launcher.spawn(binaries.postgres, args), statements.map((statement) => `${statement};\n`).join(''));
}
