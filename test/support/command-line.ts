import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const EXECUTABLE = join(import.meta.dirname, '../../bin/outreach.js');

/** How a process ended, and all that it wrote. */
export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of `outreach …`, in an environment and a directory that hold nothing but what a test is about. */
export class OutreachProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<ProcessResult>;
  private readonly child: ChildProcess;

  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    options: Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> = {},
  ) {
    this.child = spawn(process.execPath, [EXECUTABLE, ...args], {
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

  /** Starts `serve` and resolves with its first line, or rejects with its complaint. */
  static async serve(
    env: Readonly<Record<string, string>>,
    options: Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> = {},
  ): Promise<OutreachProcess> {
    const process = new OutreachProcess(['serve'], env, options);
    const refused = process.ended.then(({ code, stderr }) => {
      throw new Error(`serve ended with ${code}: ${stderr}`);
    });
    if (process.child.stdout) await Promise.race([once(process.child.stdout, 'data'), refused]);
    return process;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  stop(): Promise<ProcessResult> {
    this.kill('SIGTERM');
    return this.ended;
  }
}

/** Runs a command to its end. */
export const outreach = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<ProcessResult> =>
  new OutreachProcess(args, env).ended;

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return String(port);
}
