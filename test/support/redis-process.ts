import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './command-line.js';

/** A Redis on loopback that stores nothing on disk, and that a test can kill and start again. */
export class RedisProcess {
  private child: ChildProcess | undefined;

  private constructor(private readonly port: string) {}

  /** @throws Error if `redis-server` is not installed */
  static async start(): Promise<RedisProcess> {
    const redis = new RedisProcess(await freePort());
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Resolves when it accepts connections again, without its data. */
  async restart(): Promise<void> {
    const options = ['--port', this.port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'];
    this.child = spawn('redis-server', options, { stdio: 'ignore' });
    await once(this.child, 'spawn');
    await this.run((client) => client.ping());
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Deletes everything in it. */
  async flush(): Promise<void> {
    await this.run((client) => client.flushall());
  }

  private async run(command: (client: Redis) => Promise<unknown>): Promise<void> {
    const client = new Redis(this.url, { retryStrategy: () => 50 });
    client.on('error', () => undefined);
    await command(client);
    client.disconnect();
  }
}
