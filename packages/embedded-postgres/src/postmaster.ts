import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from './cluster.js';
import { pidFile, shutDown, stopOrphan } from './orphan.js';
import { pollUntil } from './poll-until.js';
import { ProgramFailed, RecentOutput } from './program-run.js';

/** Durable, for a small machine. Errors of clients are not logged, because their statements contain data. */
const defaults: Record<string, string> = {
  shared_buffers: '256MB',
  max_connections: '200',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // The statement of a client that was killed would run to its end, with its locks.
  client_connection_check_interval: '10s',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '',
};

/** A postgres process that this process has started. */
export class Postmaster {
  private isStopping = false;
  /** Resolves with one line if the process ends before `stop` is called; otherwise never. */
  readonly exited: Promise<string>;

  constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    output: RecentOutput,
  ) {
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        const parts = [`PostgreSQL ended by itself (${signal ?? code})`, output.errorMessage];
        if (!this.isStopping) resolve(parts.filter((part) => part !== '').join(': '));
      });
    });
  }

  private get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await shutDown(
      (signal) => this.child.kill(signal),
      () => this.ended,
    );
  }

  /** Ends it at once. It does not remove its PID file, which may be that of another server by now. */
  kill(): void {
    this.child.kill('SIGKILL');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function launch(
  installation: Installation,
  settings: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<Postmaster> {
  const { directory, binaries, launcher } = installation;
  const orphanPid = await stopOrphan(directory);
  const { port: chosen, ...others } = { ...defaults, ...settings };
  const port = chosen === undefined ? await freePort() : Number(chosen);
  const options = Object.entries(others).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = launcher.spawn(
    binaries.postgres,
    ['-D', directory.cluster, '-p', String(port), '-h', '127.0.0.1', '-k', '', ...options],
    // The PID in a stale PID file may belong to another process now: PG_GRANDPARENT_PID makes PostgreSQL ignore it.
    { detached: true, extraEnv: orphanPid === undefined ? {} : { PG_GRANDPARENT_PID: String(orphanPid) } },
  );
  const output = new RecentOutput(child);
  const closed = new Promise((resolve) => child.once('close', resolve));
  await once(child, 'spawn');
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  await pollUntil(async () => {
    const [pid, , , pidFilePort, , , , state = ''] = await pidFile(directory.cluster);
    // A PID alone may be that of the server before: in a container that starts again, PIDs repeat.
    const isOfChild = Number(pid) === child.pid && Number(pidFilePort) === port;
    return signal?.aborted || ended() || (isOfChild && state.trim() === 'ready');
  }, Infinity);
  // After an abort its owner stops it.
  if (!ended()) return new Postmaster(child, port, output);
  // Its last output may still arrive, but a child process of it may also keep the pipe open.
  await Promise.race([closed, pause(500, undefined, { ref: false })]);
  throw new ProgramFailed('postgres', child.exitCode ?? child.signalCode, output);
}

/**
 * Errors after which the start is repeated: another process took the port, or backends of a killed server are still
 * running.
 */
const temporaryErrors = [
  'could not create any TCP/IP sockets',
  'is still in use',
  'lock file "postmaster.pid" already exists',
];

/**
 * Starts the server of the cluster on a free port of 127.0.0.1; resolves when it accepts connections, or the
 * signal is aborted.
 * @throws ProgramFailed with PostgreSQL's own message; DataDirectoryUnusable if the previous server does not end
 */
export async function startPostmaster(
  installation: Installation,
  settings: Record<string, string>,
  signal?: AbortSignal,
): Promise<Postmaster> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    try {
      return await launch(installation, settings, signal);
    } catch (error) {
      if (!(error instanceof ProgramFailed) || !temporaryErrors.some((text) => error.output.includes(text)))
        throw error;
      if (performance.now() > deadline) throw error;
      await pause(100);
    }
  }
}
