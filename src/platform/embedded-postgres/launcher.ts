import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresUnavailable, errorCode } from './embedded-postgres-failure.js';
import { runProgram } from './program-run.js';

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * `own`: as whoever runs this process. `dropped`: as an unprivileged account, since PostgreSQL refuses root.
 * `searching`: the same, plus the one capability to read and pass through directories closed to that account.
 */
type RunIdentity = { kind: 'same_user' } | { kind: 'setuid'; account: Account } | { kind: 'setpriv'; account: Account };

// A fixed environment: messages are in English, times in UTC, and nothing of the service's settings leaks.
const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
const capability = '-all,+dac_read_search';

/** Starts programs with the right privileges, and hands files over to the account they run as. */
export class Launcher {
  constructor(private readonly identity: RunIdentity) {}

  /** @param detached in a session of its own, out of reach of a terminal's Ctrl-C. */
  spawn(program: string, args: string[], { detached = false, extraEnv = {} } = {}): ChildProcess {
    const stdio: StdioOptions = [detached ? 'ignore' : 'pipe', 'pipe', 'pipe'];
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

  /** Makes the account the owner of a file or directory that we made, not of what lies in it. */
  async giveToAccount(file: string): Promise<void> {
    if (this.identity.kind !== 'same_user') await chown(file, this.identity.account.uid, this.identity.account.gid);
  }

  /** Makes the account the owner of a whole tree that root owns, as a restored backup does. */
  async giveTreeToAccount(directory: string): Promise<void> {
    if (this.identity.kind === 'same_user' || (await stat(directory)).uid !== 0) return;
    const { uid, gid } = this.identity.account;
    await runProgram(spawn('chown', ['-R', `${uid}:${gid}`, directory], { env }));
  }
}

function setprivArguments({ uid, gid }: Account): string[] {
  // Without no_setuid_fixup access(2), by which PostgreSQL looks for its own program, ignores the capability.
  return [
    ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'],
    ...[`--bounding-set=${capability}`, `--inh-caps=${capability}`, `--ambient-caps=${capability}`],
  ];
}

/** An existing cluster keeps its owner, so that root and this owner can take turns; a new one goes to nobody. */
async function chooseAccount(cluster: string): Promise<Account> {
  try {
    const { uid, gid } = await stat(cluster);
    if (uid !== 0) return { uid, gid };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const nobody = accounts.find(([name]) => name === 'nobody');
  if (!nobody) {
    throw new EmbeddedPostgresUnavailable(
      'PostgreSQL does not run as root, and there is no account "nobody" to run it as: start the service as an ordinary user',
    );
  }
  return { uid: Number(nobody[2]), gid: Number(nobody[3]) };
}

/** The first directory on the way to `target` that the account may not pass through, judged by mode bits. */
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
    // Absent, Busybox's smaller one, or a container that withholds the capability: each means that this way is closed.
    return false;
  }
}

/**
 * @param cluster its directory, which need not exist yet; its parent must.
 * @param programs a directory that the account has to reach too.
 * @throws EmbeddedPostgresUnavailable for root, where no unprivileged account can reach both.
 */
export async function chooseLauncher(cluster: string, programs: string): Promise<Launcher> {
  if (process.getuid?.() !== 0) return new Launcher({ kind: 'same_user' });
  const account = await chooseAccount(cluster);
  const closed = (await closedDirectory(account, path.dirname(cluster))) ?? (await closedDirectory(account, programs));
  if (closed === undefined) return new Launcher({ kind: 'setuid', account });
  if (await canUseSetpriv(account)) return new Launcher({ kind: 'setpriv', account });
  throw new EmbeddedPostgresUnavailable(
    `PostgreSQL does not run as root, and the account it runs as instead cannot enter ${closed}: ` +
      'install setpriv (util-linux), or move the installation and its data out of there, or start as an ordinary user',
  );
}
