import { Redis } from 'ioredis';

const MIN_VERSION = [6, 2] as const;
const CONNECT_TIMEOUT_MS = 10_000;

/** @throws Error, with a line for the operator, if Redis is not available or older than 6.2 */
export async function assertRedisAvailable(url: string, timeoutMs = CONNECT_TIMEOUT_MS): Promise<void> {
  await withRedis(url, timeoutMs, async (redis) => assertVersion(await redis.info('server')));
}

/**
 * @returns the version of Redis, and what it does when its memory is full
 * @throws Error like {@link assertRedisAvailable}
 */
export function redisInfo(url: string, timeoutMs: number): Promise<{ version: string; eviction_policy: string }> {
  return withRedis(url, timeoutMs, async (redis) => {
    const server = await redis.info('server');
    assertVersion(server);
    const [, version = ''] = /^redis_version:(\S+)/m.exec(server) ?? [];
    // Unlike CONFIG GET, hosted services allow INFO.
    const [, policy = 'unknown'] = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory')) ?? [];
    return { version, eviction_policy: policy };
  });
}

async function withRedis<R>(url: string, timeoutMs: number, work: (redis: Redis) => Promise<R>): Promise<R> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: timeoutMs });
  let connectionError: Error | undefined;
  // The client itself only rejects with "connection is closed".
  redis.on('error', (error: Error) => (connectionError ??= error));
  try {
    await redis.connect();
    return await work(redis);
  } catch (error) {
    throw connectionError ?? error;
  } finally {
    redis.disconnect();
  }
}

function assertVersion(info: string): void {
  const [, version = '', major, minor] = /^redis_version:((\d+)\.(\d+)\S*)/m.exec(info) ?? [];
  const isOld = Number(major) < MIN_VERSION[0] || (Number(major) === MIN_VERSION[0] && Number(minor) < MIN_VERSION[1]);
  if (isOld) throw new Error(`Redis ${MIN_VERSION.join('.')} or newer is required, but REDIS_URL leads to ${version}`);
}
