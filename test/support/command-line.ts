import { type ChildProcess, fork, spawn, type SpawnOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';

const EXECUTABLE = join(import.meta.dirname, '../../bin/outreach.js');
const RUNNER = join(import.meta.dirname, 'command-runner.mjs');

type Env = Readonly<Record<string, string>>;
type Options = Pick<SpawnOptions, 'cwd' | 'uid' | 'gid' | 'detached'>;

/** A module for the option `--import` of Node. @param program JavaScript */
export const moduleOf = (program: string): string => `data:text/javascript,${encodeURIComponent(program)}`;

/** The exit code of a process, and everything that it wrote. */
export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of `outreach …`, or of another program, whose environment contains only what the test sets. */
export class OutreachProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<ProcessResult>;
  private readonly child: ChildProcess;

  constructor(
    args: readonly string[],
    env: Env,
    options: Options = {},
    [program, ...first]: readonly [string, ...string[]] = [process.execPath, EXECUTABLE],
  ) {
    this.child = spawn(program, [...first, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, ...env },
      ...options,
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(this.child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** Starts `serve`. Resolves after its first line of output, rejects with its standard error if it ends before. */
  static async serve(env: Env, options: Options = {}): Promise<OutreachProcess> {
    const server = new OutreachProcess(['serve'], env, options);
    const refused = server.ended.then(({ code, stderr }) => {
      throw new Error(`serve ended with ${code}: ${stderr}`);
    });
    if (server.child.stdout) await Promise.race([once(server.child.stdout, 'data'), refused]);
    return server;
  }

  /** Resolves when the process has printed a text, or has ended. */
  async prints(text: RegExp): Promise<void> {
    await eventually(() => {
      if (!this.hasEnded) expect(this.stdout + this.stderr).toMatch(text);
    });
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  wasKilledBy(signal: NodeJS.Signals): boolean {
    return this.child.signalCode === signal;
  }

  /** Does what a terminal does that is closed. The process has to be `detached`, which makes it a group of its own. */
  closeTerminal(): void {
    if (this.child.pid === undefined || this.hasEnded) return;
    process.kill(-this.child.pid, 'SIGHUP');
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  /** Shows what the process writes to standard error from now on. */
  showErrors(): void {
    this.child.stderr?.on('data', (text: string) => process.stderr.write(text));
  }

  stop(): Promise<ProcessResult> {
    this.kill('SIGTERM');
    return this.ended;
  }
}

/** Runs a command of the executable, in a separate process. */
export const outreach = (args: readonly string[], env: Env): Promise<ProcessResult> =>
  new OutreachProcess(args, env).ended;

/** Runs many commands in one process, which loads the code once. Concurrent commands run one after the other. */
export class CommandRunner {
  private readonly child: ChildProcess;
  private readonly ended: Promise<never>;
  private last: Promise<unknown> = Promise.resolve();

  /** @param program JavaScript that runs in the process before the first command */
  constructor(program = '') {
    const execArgv = program === '' ? [] : ['--import', moduleOf(program)];
    this.child = fork(RUNNER, { cwd: tmpdir(), env: { PATH: process.env.PATH }, execArgv });
    this.ended = once(this.child, 'exit').then(([code, signal]) => {
      throw new Error(`The process of the commands has ended: ${code ?? signal}`);
    });
    this.ended.catch(() => undefined);
  }

  /** @param options the working directory */
  run(args: readonly string[], env: Env, options: { readonly cwd?: string } = {}): Promise<ProcessResult> {
    const result = this.last.then(async () => {
      this.child.send({ args, env, ...options });
      const [message] = (await Promise.race([once(this.child, 'message'), this.ended])) as [ProcessResult];
      return message;
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}

/** Ports that Linux and macOS do not give to servers which listen on any free one. */
const [MIN_PORT, MAX_PORT] = [10_000, 32_000];
/** Test files that run at the same time share no ports, up to this number of them. */
const CONCURRENT_FILES = 8;
const givenPorts = new Set<number>();

/** A port of loopback that was free a moment ago, and that no other test gets before it is used. */
export async function freePort(): Promise<string> {
  const share = Number(process.env.JEST_WORKER_ID ?? 0) % CONCURRENT_FILES;
  const port = CONCURRENT_FILES * randomInt(MIN_PORT / CONCURRENT_FILES, MAX_PORT / CONCURRENT_FILES) + share;
  if (givenPorts.has(port)) return freePort();
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  givenPorts.add(port);
  await once(server.close(), 'close');
  return String(port);
}
