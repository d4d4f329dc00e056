import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { RedisProcess } from './redis-process.js';

/** What the Sentinel calls the primary. */
const NAME = 'outreach';
const ACCOUNT = ['service', 'a password/of:Redis'] as const;
const SENTINEL_ACCOUNT = ['finder', 'a password+of%Sentinel'] as const;

/** A primary, its replica, and a Sentinel that makes the replica the primary if the other one is lost. */
export class RedisSentinel {
  private constructor(
    readonly sentinel: RedisProcess,
    /** One of them is the primary. */
    readonly servers: readonly [RedisProcess, RedisProcess],
    private readonly folder: string,
  ) {}

  static async start(): Promise<RedisSentinel> {
    const folder = mkdtempSync(join(tmpdir(), 'outreach-sentinel-'));
    // Sentinel stores there what it finds out.
    const file = join(folder, 'sentinel.conf');
    writeFileSync(file, `user ${aclOf(SENTINEL_ACCOUNT).join(' ')}\n`);
    const account = ['--user', ...aclOf(ACCOUNT)];
    const [primary, replica, sentinel] = await Promise.all([
      RedisProcess.start(account),
      RedisProcess.start(account),
      RedisProcess.start([file, '--sentinel']),
    ]);
    await replica.replicate(primary);
    const found = new RedisSentinel(sentinel, [primary, replica], folder);
    await found.watch(primary);
    return found;
  }

  /** The URL of the service, with a Sentinel that does not exist. */
  get url(): string {
    const [login, sentinel] = [ACCOUNT, SENTINEL_ACCOUNT].map((account) => account.map(encodeURIComponent));
    const parameters = `sentinel_username=${sentinel?.[0]}&sentinel_password=${sentinel?.[1]}`;
    return `redis+sentinel://${login?.join(':')}@127.0.0.1:1,127.0.0.1:${this.sentinel.port}/${NAME}/0?${parameters}`;
  }

  /** @returns the port of the primary, as the Sentinel says */
  primaryPort(): Promise<string | undefined> {
    return this.sentinel.run(async (client) => {
      const address = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME);
      return Array.isArray(address) ? String(address[1]) : undefined;
    });
  }

  /** Makes the replica the primary, and the primary its replica. Resolves when the Sentinel says so. */
  async failOver(): Promise<void> {
    const before = await this.primaryPort();
    await this.sentinel.run((client) => eventually(() => client.call('SENTINEL', 'FAILOVER', NAME)));
    await eventually(async () => expect(await this.primaryPort()).not.toBe(before));
  }

  async stop(): Promise<void> {
    await Promise.all([this.sentinel, ...this.servers].map((process) => process.kill()));
    rmSync(this.folder, { recursive: true });
  }

  /** Resolves when the Sentinel knows the replica, too. */
  private async watch({ port }: RedisProcess): Promise<void> {
    await this.sentinel.run(async (client) => {
      await client.call('SENTINEL', 'MONITOR', NAME, '127.0.0.1', port, 1);
      // How long the primary may be silent, and when the next failover may be.
      await client.call('SENTINEL', 'SET', NAME, 'down-after-milliseconds', 1_000, 'failover-timeout', 2_000);
      await eventually(async () => expect(await client.call('SENTINEL', 'REPLICAS', NAME)).toHaveLength(1));
    });
  }
}

const aclOf = ([name, password]: readonly [string, string]): string[] => {
  const hash = createHash('sha256').update(password).digest('hex');
  return [name, 'on', `#${hash}`, '~*', '&*', '+@all'];
};
