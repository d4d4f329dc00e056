import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './command-line.js';
import { eventually } from './eventually.js';

/** PgBouncer does not run as root. */
const NOBODY = 65_534;
const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A PgBouncer on loopback, in front of the PostgreSQL of a URL. */
export class PgBouncer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    private readonly port: string,
  ) {}

  /** Resolves when it accepts connections. */
  static async to(url: string, mode: 'session' | 'transaction'): Promise<PgBouncer> {
    const { hostname, port, username, password } = new URL(url);
    const directory = await mkdtemp(join(tmpdir(), 'outreach-pgbouncer-'));
    await chmod(directory, 0o755);
    const file = join(directory, 'pgbouncer.ini');
    const listenPort = await freePort();
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      'max_client_conn = 200',
      // In session mode each connection has a server connection for itself. One that finds none waits, also during a stop.
      ...(mode === 'session' ? ['default_pool_size = 100'] : []),
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...account });
    const bouncer = new PgBouncer(child, directory, listenPort);
    await eventually(async () => {
      const client = new pg.Client({ connectionString: bouncer.urlThrough(url) });
      await client.connect();
      await client.end();
    });
    return bouncer;
  }

  /** Returns `url` with the port of PgBouncer. */
  urlThrough(url: string): string {
    const through = new URL(url);
    through.port = this.port;
    return through.href;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }
}
