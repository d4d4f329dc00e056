import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestService } from './service.js';

/** A worker in a separate process, which a test can kill. */
export class WorkerProcess {
  /** What the process has written to standard error. */
  errorOutput = '';

  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    isCollected: boolean,
  ) {
    child.stderr.on('data', (chunk: Buffer) => {
      this.errorOutput += chunk.toString();
      if (!isCollected) process.stderr.write(chunk);
    });
  }

  /** Resolves when the worker is running. @param env overrides settings; with `LOG_LEVEL`, the log is collected */
  static async start(service: TestService, env: Record<string, string> = {}): Promise<WorkerProcess> {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/outreach.js'), 'serve'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: service.database.url,
        ENCRYPTION_KEY: service.config.encryption_key?.join(','),
        EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
        PUBLIC_URL: service.config.public_url,
        ...(service.config.redis_url ? { REDIS_URL: service.config.redis_url } : {}),
        LOG_LEVEL: 'error',
        ROLE: 'worker',
        ...env,
      },
    });
    const [line] = (await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`The worker ended with ${code}`);
      }),
    ])) as [Buffer];
    if (!line.toString().includes('worker running')) throw new Error(`The worker printed: ${line.toString()}`);
    return new WorkerProcess(child, env.LOG_LEVEL !== undefined);
  }

  /** Kills the process with SIGKILL. */
  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  /** Suspends the process, as a long computation or a paused virtual machine does. */
  suspend(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Stops the process with SIGTERM. @returns its exit code */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const gone = once(this.child, 'exit') as Promise<[number | null]>;
    this.child.kill('SIGTERM');
    return (await gone)[0];
  }
}
