import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestService } from './service.js';

/** An API in a separate process, on the database of a service, which a test can kill. */
export class ApiProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Resolves when the process listens. */
  static async start(service: TestService, env: Record<string, string> = {}): Promise<ApiProcess> {
    const port = await freePort();
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/outreach.js'), 'serve'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: service.database.url,
        ENCRYPTION_KEY: service.config.encryption_key?.join(','),
        EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
        PUBLIC_URL: service.config.public_url,
        ...(service.config.redis_url ? { REDIS_URL: service.config.redis_url } : {}),
        RATE_LIMIT_PER_MINUTE: '1000000',
        LOG_LEVEL: 'error',
        PORT: String(port),
        ROLE: 'api',
        ...env,
      },
    });
    const [line] = (await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`The process ended with ${code}`);
      }),
    ])) as [Buffer];
    if (!line.toString().includes('listening on')) throw new Error(`The process printed: ${line.toString()}`);
    return new ApiProcess(child, `http://127.0.0.1:${port}`);
  }

  /** Kills the process with SIGKILL, unless it has ended. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
