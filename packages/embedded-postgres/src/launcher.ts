import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresUnavailable, errorCode } from './embedded-postgres-failure.js';
import { programEnv as env, runProgram } from './program-run.js';

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * `same_user`: the user of this process. `setuid`: an unprivileged account, because PostgreSQL does not run as root.
 * `setpriv`: the same, with the capability to read and enter directories that the account may not enter.
 */
type RunIdentity = { kind: 'same_user' } | { kind: 'setuid'; account: Account } | { kind: 'setpriv'; account: Account };

const capability = '-all,+dac_read_search';

/** Starts programs as the right account, and gives files to that account. */
export class Launcher {
  /** @param lock an open file that every program inherits, so that its lock lasts until they have ended as well */
  constructor(
    private readonly identity: RunIdentity,
    private readonly lock: number,
  ) {}

  /** @param detached in its own session, so that Ctrl-C in a terminal does not reach it */
  spawn(program: string, args: string[], { detached = false, extraEnv = {} } = {}): ChildProcess {
    const stdio: StdioOptions = [detached ? 'ignore' : 'pipe', 'pipe', 'pipe', this.lock];
    const options = { cwd: '/', env: { ...env, ...extraEnv }, detached, stdio };
    switch (this.identity.kind) {
      case 'same_user':
        return spawn(program, args, options);
      case 'setuid':
        return spawn(program, args, { ...options, uid: this.identity.account.uid, gid: this.identity.account.gid });
      case 'setpriv':
        return spawn('setpriv', [...setprivArguments(this.identity.account), '--', program, ...args], options);
    }
  }

  /** Makes the account the owner of a file or directory, without its content. */
  async giveToAccount(file: string): Promise<void> {
    if (this.identity.kind !== 'same_user') await chown(file, this.identity.account.uid, this.identity.account.gid);
  }

  /** Makes the account the owner of a tree that belongs to root, such as a restored backup. */
  async giveTreeToAccount(directory: string): Promise<void> {
    if (this.identity.kind === 'same_user' || (await stat(directory)).uid !== 0) return;
    const { uid, gid } = this.identity.account;
    await runProgram(spawn('chown', ['-R', `${uid}:${gid}`, directory], { env }));
  }
}

function setprivArguments({ uid, gid }: Account): string[] {
  // Without no_setuid_fixup access(2) ignores the capability, and PostgreSQL does not find its own program.
  return [
    ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'],
    ...[`--bounding-set=${capability}`, `--inh-caps=${capability}`, `--ambient-caps=${capability}`],
  ];
}

/**
 * Chooses the account of PostgreSQL: the owner of an existing cluster, so that both root and this owner can run it; for a
 * new one the owner of the data directory, if that is a known account other than root; else `nobody`, although other
 * processes may run as `nobody` too: initdb refuses to run with a user ID that has no name.
 */
async function chooseAccount(cluster: string): Promise<Account> {
  const owner = await ownerOf(cluster);
  if (owner) return owner;
  const accounts = await knownAccounts();
  const { uid: directoryUid } = await stat(path.dirname(cluster));
  const account =
    accounts.find(({ uid }) => uid !== 0 && uid === directoryUid) ?? accounts.find(({ name }) => name === 'nobody');
  if (!account) {
    throw new EmbeddedPostgresUnavailable(
      'PostgreSQL does not run as root, and the account "nobody" does not exist: start the service as an ordinary user',
    );
  }
  return { uid: account.uid, gid: account.gid };
}

/** Returns the owner of a directory, or undefined if it does not exist or belongs to root. */
async function ownerOf(directory: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(directory);
    return uid === 0 ? undefined : { uid, gid };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return undefined;
  }
}

async function knownAccounts(): Promise<(Account & { readonly name: string | undefined })[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  return lines.map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/** Returns the first directory in the path of `target` that the mode bits do not let the account enter. */
async function closedDirectory(account: Account, target: string): Promise<string | undefined> {
  const parent = path.dirname(target);
  const above = parent === target ? undefined : await closedDirectory(account, parent);
  if (above !== undefined) return above;
  const { uid, gid, mode } = await stat(target);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & bit) === 0 ? target : undefined;
}

async function canUseSetpriv(account: Account): Promise<boolean> {
  try {
    await runProgram(spawn('setpriv', [...setprivArguments(account), '--', 'true'], { env }));
    return true;
  } catch {
    // It is not installed, is Busybox's version with fewer options, or the container does not have the capability.
    return false;
  }
}

/**
 * @param cluster its directory, which need not exist; its parent must
 * @param programs a directory that the account must be able to read as well
 * @param lock see {@link Launcher}
 * @throws EmbeddedPostgresUnavailable if this process runs as root and no unprivileged account can read both
 */
export async function chooseLauncher(cluster: string, programs: string, lock: number): Promise<Launcher> {
  if (process.getuid?.() !== 0) return new Launcher({ kind: 'same_user' }, lock);
  const account = await chooseAccount(cluster);
  const closed = (await closedDirectory(account, path.dirname(cluster))) ?? (await closedDirectory(account, programs));
  if (closed === undefined) return new Launcher({ kind: 'setuid', account }, lock);
  if (await canUseSetpriv(account)) return new Launcher({ kind: 'setpriv', account }, lock);
  throw new EmbeddedPostgresUnavailable(
    `PostgreSQL does not run as root, and the account that it runs as cannot enter ${closed}: ` +
      'install setpriv (util-linux), or move the installation and its data, or start the service as an ordinary user',
  );
}
