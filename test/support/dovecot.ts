import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  access,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { linkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './command-line.js';
import { eventually } from './eventually.js';
import { tlsFile } from './tls-files.js';

/** The password of every user. */
export const MAILBOX_PASSWORD = 'mailbox-password';

/** The key that signs access tokens. */
const TOKEN_KEY = 'a key for the tokens of the tests';

/** How many names of one file every file system allows. */
const MAX_LINKS = 30_000;

/** Any user: the tests run as root, and Dovecot serves no mail as root. */
const UNPRIVILEGED_USER = 65_534;

/** Dovecot on loopback, with a certificate of the authority of the tests. Every name is a user. */
export class Dovecot {
  private delivered = 0;

  private constructor(
    private readonly process: ChildProcess,
    /** The directory of the mailboxes and of the configuration. */
    readonly directory: string,
    /** The port with TLS from the beginning. */
    readonly port: number,
    /** The port with STARTTLS. */
    readonly starttlsPort: number,
  ) {}

  static async start(): Promise<Dovecot> {
    const directory = await mkdtemp(join(tmpdir(), 'outreach-dovecot-'));
    const port = Number(await freePort());
    const starttlsPort = Number(await freePort());
    await chmod(directory, 0o755);
    await mkdir(join(directory, 'mail'));
    await mkdir(join(directory, 'tokens/default/HS256'), { recursive: true });
    await writeFile(join(directory, 'tokens/default/HS256/default'), Buffer.from(TOKEN_KEY).toString('base64'));
    if (isRoot()) await chown(join(directory, 'mail'), UNPRIVILEGED_USER, UNPRIVILEGED_USER);
    await writeFile(join(directory, 'oauth2.conf'), oauthConfiguration(directory));
    const configuration = join(directory, 'dovecot.conf');
    await writeFile(configuration, configurationOf(directory, port, starttlsPort));
    const child = spawn('dovecot', ['-F', '-c', configuration], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    });
    const dovecot = new Dovecot(child, directory, port, starttlsPort);
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`Dovecot ended: ${await dovecot.log()}`);
      await canConnect(port);
    });
    return dovecot;
  }

  /** An access token for XOAUTH2, as the provider would issue it. */
  accessToken(user: string, { secondsLeft = 3_600 } = {}): string {
    const now = Math.floor(Date.now() / 1_000);
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const header = encode({ alg: 'HS256', typ: 'JWT' });
    const payload = encode({ sub: user, username: user, iat: now - 60, exp: now + secondsLeft });
    const signature = createHmac('sha256', TOKEN_KEY).update(`${header}.${payload}`).digest('base64url');
    return `${header}.${payload}.${signature}`;
  }

  /** The connection fields of an email account that is read here. */
  account(user: string) {
    return {
      imap_host: '127.0.0.1',
      imap_port: this.starttlsPort,
      imap_encryption: 'tls',
      imap_username: user,
      imap_password: MAILBOX_PASSWORD,
    };
  }

  /** Stores mails in a folder, as if they had just arrived or at another time. */
  async deliver(user: string, mails: readonly string[], { folder = 'INBOX', receivedAt = new Date() } = {}) {
    const home = join(this.directory, 'mail', user);
    const maildir = folder === 'INBOX' ? home : join(home, folder);
    for (const path of [home, maildir]) await this.makeMaildir(path);
    for (const mail of mails) {
      this.delivered += 1;
      const name = `${Math.floor(receivedAt.getTime() / 1_000)}.M${this.delivered}P${process.pid}.test`;
      const path = join(maildir, 'tmp', name);
      await writeFile(path, mail);
      await utimes(path, receivedAt, receivedAt);
      if (isRoot()) await chown(path, UNPRIVILEGED_USER, UNPRIVILEGED_USER);
      await rename(path, join(maildir, 'new', name));
    }
  }

  /** Stores many copies of a mail in the inbox. They are links to a few files. */
  async fill(user: string, mail: string, count: number): Promise<void> {
    const home = join(this.directory, 'mail', user);
    await this.makeMaildir(home);
    const now = Math.floor(Date.now() / 1_000);
    let file = '';
    for (let n = 0; n < count; n += 1) {
      const name = join(home, 'cur', `${now}.M${n}P${process.pid}.copy:2,`);
      if (n % MAX_LINKS > 0) linkSync(file, name);
      else {
        file = name;
        await writeFile(file, mail);
        if (isRoot()) await chown(file, UNPRIVILEGED_USER, UNPRIVILEGED_USER);
      }
    }
  }

  /** How many mails of the inbox are not marked as seen. */
  async unseen(user: string): Promise<number> {
    const home = join(this.directory, 'mail', user);
    const names = await Promise.all(['new', 'cur'].map((name) => readdir(join(home, name))));
    return names.flat().filter((name) => !/:2,[A-Z]*S/.test(name)).length;
  }

  /**
   * Takes the mailbox away; the next mail makes it anew, with another UIDVALIDITY. It disappears at once: a session that
   * opens it while its files are deleted one after the other would add some.
   */
  async recreate(user: string): Promise<void> {
    await rename(join(this.directory, 'mail', user), await mkdtemp(join(this.directory, 'removed-')));
  }

  /**
   * Makes a folder that does not exist yet. It appears complete: a session that opens it in between could not read
   * directories that belong to root.
   */
  private async makeMaildir(path: string): Promise<void> {
    const staged = await mkdtemp(join(this.directory, 'maildir-'));
    for (const name of ['tmp', 'new', 'cur']) await mkdir(join(staged, name));
    if (isRoot())
      for (const name of ['', 'tmp', 'new', 'cur'])
        await chown(join(staged, name), UNPRIVILEGED_USER, UNPRIVILEGED_USER);
    try {
      await rename(staged, path);
    } catch (error) {
      await rm(staged, { recursive: true });
      if (!FOLDER_EXISTS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      // Dovecot may be making it at this moment.
      await eventually(() => Promise.all(['tmp', 'new', 'cur'].map((name) => access(join(path, name)))));
    }
  }

  /** What Dovecot has logged. */
  async log(): Promise<string> {
    return readFile(join(this.directory, 'log'), 'utf8').catch(() => '');
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill();
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** What `rename` says if the target is a folder that is not empty. */
const FOLDER_EXISTS = ['ENOTEMPTY', 'EEXIST'];

const isRoot = (): boolean => process.getuid?.() === 0;

function configurationOf(directory: string, port: number, starttlsPort: number): string {
  const { uid, gid, username } = userInfo();
  const [mailUid, mailGid] = isRoot() ? [UNPRIVILEGED_USER, UNPRIVILEGED_USER] : [uid, gid];
  const users = isRoot() ? '' : ownUser(username);
  return `base_dir = ${directory}/run
state_dir = ${directory}/state
log_path = ${directory}/log
listen = 127.0.0.1
protocols = imap
ssl = yes
ssl_cert = <${tlsFile('server.pem')}
ssl_key = <${tlsFile('server.key')}
disable_plaintext_auth = yes
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0
mail_location = maildir:${directory}/mail/%u:LAYOUT=fs
mail_uid = ${mailUid}
mail_gid = ${mailGid}
first_valid_uid = 1
first_valid_gid = 1
mail_max_userip_connections = 100
${users}passdb {
  driver = static
  mechanisms = plain login
  args = password=${MAILBOX_PASSWORD}
}
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${directory}/oauth2.conf
}
userdb {
  driver = static
  args = home=${directory}/mail/%u
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Spam-Box {
    special_use = \\Junk
    auto = create
  }
  mailbox "Sent Items" {
    special_use = \\Sent
    auto = create
  }
}
service imap-login {
  inet_listener imap {
    port = ${starttlsPort}
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
  process_min_avail = 1
  service_count = 0
}
service imap {
  process_limit = 2000
}
# Failed logins from an address delay no later ones.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
`;
}

/** Without root, every process of Dovecot belongs to the user that starts it. */
const ownUser = (name: string): string => `default_login_user = ${name}
default_internal_user = ${name}
service imap-login {
  chroot =
}
service anvil {
  chroot =
}
`;

const oauthConfiguration = (directory: string): string => `introspection_mode = local
local_validation_key_dict = fs:posix:prefix=${directory}/tokens/
username_attribute = username
`;

async function canConnect(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect').finally(() => socket.destroy());
}
