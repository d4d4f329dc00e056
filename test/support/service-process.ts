import { freePort, OutreachProcess } from './command-line.js';
import type { TestService } from './service.js';

/** An API or a worker in a separate process, on the database of a service, which a test can kill. */
export class ServiceProcess {
  private constructor(
    private readonly child: OutreachProcess,
    readonly url: string,
  ) {}

  /** Resolves when the API listens. @param env overrides settings */
  static startApi(service: TestService, env: Record<string, string> = {}): Promise<ServiceProcess> {
    return ServiceProcess.start(service, { ROLE: 'api', RATE_LIMIT_PER_MINUTE: '1000000', ...env });
  }

  /** Resolves when the worker is running. @param env overrides settings */
  static startWorker(service: TestService, env: Record<string, string> = {}): Promise<ServiceProcess> {
    return ServiceProcess.start(service, { ROLE: 'worker', ...env });
  }

  private static async start(service: TestService, env: Record<string, string>): Promise<ServiceProcess> {
    const port = await freePort();
    const child = await OutreachProcess.serve({
      DATABASE_URL: service.database.url,
      ENCRYPTION_KEY: service.config.encryption_key?.join(',') ?? '',
      EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
      PUBLIC_URL: service.config.public_url,
      ...(service.config.redis_url ? { REDIS_URL: service.config.redis_url } : {}),
      LOG_LEVEL: 'error',
      PORT: port,
      ...env,
    });
    // A test that chooses the level expects errors.
    if (env.LOG_LEVEL === undefined) child.showErrors();
    return new ServiceProcess(child, `http://127.0.0.1:${port}`);
  }

  /** What the process has written to standard error. */
  get errorOutput(): string {
    return this.child.stderr;
  }

  get isRunning(): boolean {
    return !this.child.hasEnded;
  }

  /** Kills the process with SIGKILL, unless it has ended. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.child.ended;
  }

  /** Suspends the process, as a long computation or a paused virtual machine does. */
  suspend(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Stops the process with SIGTERM, unless it has ended. @returns its exit code */
  async stop(): Promise<number | null> {
    return (await this.child.stop()).code;
  }
}

/** Worker processes that the tests of a file share, because starting one takes more than a second. */
export class WorkerProcesses {
  private running: ServiceProcess[] = [];

  constructor(
    private readonly service: TestService,
    private readonly env: Record<string, string> = {},
  ) {}

  /** Starts or stops processes until `count` are running. */
  async run(count: number): Promise<void> {
    await Promise.all(this.running.splice(count).map((worker) => worker.stop()));
    const missing = Array.from({ length: count - this.running.length }, () =>
      ServiceProcess.startWorker(this.service, this.env),
    );
    // If one fails to start, the others must still be stopped.
    const started = await Promise.allSettled(missing);
    for (const start of started) if (start.status === 'fulfilled') this.running.push(start.value);
    for (const start of started) if (start.status === 'rejected') throw start.reason;
  }

  /** Stops all processes after their current work. @returns their exit codes */
  stop(): Promise<(number | null)[]> {
    return Promise.all(this.running.splice(0).map((worker) => worker.stop()));
  }

  /** Kills all processes with SIGKILL. */
  async kill(): Promise<void> {
    await Promise.all(this.running.splice(0).map((worker) => worker.kill()));
  }

  /** What the processes have written to standard error. */
  get errorOutput(): string {
    return this.running.map(({ errorOutput }) => errorOutput).join('');
  }
}
