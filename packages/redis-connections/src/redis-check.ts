import { Redis } from 'ioredis';
import { isWriteRefused } from './redis-options.js';

const MIN_VERSION = [6, 2] as const;
const CONNECT_TIMEOUT_MS = 10_000;

/** For how long the key of a check stays. */
const WRITTEN_MS = 10_000;

/** What Redis says about itself. */
export interface RedisInfo {
  readonly version: string;
  /** What it does when its memory is full. */
  readonly eviction_policy: string;
  readonly is_replica: boolean;
}

/** Checks the Redis server of a service. */
export class RedisCheck {
  /**
   * @param setting the name of the setting with the URL, for messages
   * @param writtenKey the key that a check writes, which an account of Redis with few rights must be able to write
   */
  constructor(
    private readonly setting: string,
    private readonly writtenKey: string,
  ) {}

  /**
   * Writes to Redis, because a replica and one whose memory or disk is full still respond to what only reads.
   * @throws Error, with a line for the operator, if Redis does not accept writes, is older than 6.2, a Sentinel or part of a
   *   cluster
   */
  async assertAvailable(url: string, timeoutMs = CONNECT_TIMEOUT_MS): Promise<void> {
    await this.connected(url, timeoutMs, async (redis) => {
      assertSuitable(await redis.info('server'), this.setting);
      await redis.set(this.writtenKey, '1', 'PX', WRITTEN_MS);
    });
  }

  /** Writes nothing. @throws Error like {@link assertAvailable} */
  info(url: string, timeoutMs: number): Promise<RedisInfo> {
    return this.connected(url, timeoutMs, async (redis) => {
      const server = await redis.info('server');
      assertSuitable(server, this.setting);
      const [, version = ''] = /^redis_version:(\S+)/m.exec(server) ?? [];
      // Unlike CONFIG GET, hosted services allow INFO.
      const [, policy = 'unknown'] = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory')) ?? [];
      const is_replica = /^role:slave/m.test(await redis.info('replication'));
      return { version, eviction_policy: policy, is_replica };
    });
  }

  private async connected<R>(url: string, timeoutMs: number, work: (redis: Redis) => Promise<R>): Promise<R> {
    const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: timeoutMs });
    let connectionError: Error | undefined;
    // The client itself only rejects with "connection is closed".
    redis.on('error', (error: Error) => (connectionError ??= error));
    try {
      await redis.connect();
      return await work(redis);
    } catch (error) {
      if (error instanceof Error && isWriteRefused(error)) {
        throw new Error(`${this.setting} leads to a server that accepts no writes: ${error.message}`, { cause: error });
      }
      throw connectionError ?? error;
    } finally {
      redis.disconnect();
    }
  }
}

function assertSuitable(info: string, setting: string): void {
  // Valkey calls it `server_mode`.
  const [, mode] = /^(?:redis|server)_mode:(sentinel|cluster)/m.exec(info) ?? [];
  if (mode) {
    const what = mode === 'sentinel' ? 'a Sentinel' : 'a Redis Cluster';
    throw new Error(`${setting} leads to ${what}, which is not supported: it must lead to one Redis server`);
  }
  const [, version = '', major, minor] = /^redis_version:((\d+)\.(\d+)\S*)/m.exec(info) ?? [];
  const isOld = Number(major) < MIN_VERSION[0] || (Number(major) === MIN_VERSION[0] && Number(minor) < MIN_VERSION[1]);
  if (isOld) throw new Error(`Redis ${MIN_VERSION.join('.')} or newer is required, but ${setting} leads to ${version}`);
}
