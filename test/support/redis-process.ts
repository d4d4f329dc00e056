import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './command-line.js';
import { eventually } from './eventually.js';

/** A Redis on loopback that stores nothing on disk, and that a test can kill and start again. */
export class RedisProcess {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: string,
    private readonly options: readonly string[],
    private readonly addresses: readonly string[],
  ) {}

  /**
   * @param options further ones of the command line, or a configuration file before them
   * @param addresses on which it listens, too
   * @throws Error if `redis-server` is not installed
   */
  static async start(options: readonly string[] = [], addresses: readonly string[] = []): Promise<RedisProcess> {
    const redis = new RedisProcess(await freePort(), options, addresses);
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Resolves when it accepts connections again, without its data. */
  async restart(): Promise<void> {
    const listens = ['--port', this.port, '--bind', '127.0.0.1', ...this.addresses];
    // A replica would leave a file there, which the next server would read.
    const storesNothing = [
      '--repl-diskless-load',
      'swapdb',
      '--dbfilename',
      `outreach-${this.port}.rdb`,
      '--dir',
      '/tmp',
    ];
    const options = [...listens, '--save', '', '--appendonly', 'no', ...storesNothing];
    this.child = spawn('redis-server', [...this.options, ...options], { stdio: 'ignore' });
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

  /** Makes it a replica, which refuses writes. Resolves when it has the data of the other one. */
  async replicate(primary: RedisProcess): Promise<void> {
    await this.run(async (client) => {
      await client.replicaof('127.0.0.1', Number(primary.port));
      await eventually(async () => expect(await client.info('replication')).toContain('master_link_status:up'));
    });
  }

  /** Whether another one replicates it. */
  isReplicated(): Promise<boolean> {
    return this.run(async (client) => /^slave0:.*state=online/m.test(await client.info('replication')));
  }

  /** How many workers wait there for jobs. */
  blockedClients(): Promise<number> {
    return this.run(async (client) => Number(/^blocked_clients:(\d+)/m.exec(await client.info('clients'))?.[1]));
  }

  /** Makes it a primary, which accepts writes. */
  async promote(): Promise<void> {
    await this.run((client) => client.replicaof('NO', 'ONE'));
  }

  /** @returns what a command returns */
  async run<R>(command: (client: Redis) => Promise<R>): Promise<R> {
    const client = new Redis(this.url, { retryStrategy: () => 50 });
    client.on('error', () => undefined);
    try {
      return await command(client);
    } finally {
      client.disconnect();
    }
  }
}
