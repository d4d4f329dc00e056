import { openRedis, redisOptions } from '@outreach/redis-connections';
import type { WindowState, WindowStore } from './windows.js';

const ADD = `local requests = redis.call('INCRBY', KEYS[1], ARGV[1])
if requests == tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return {requests, redis.call('PTTL', KEYS[1])}`;

const COMMAND_TIMEOUT_MS = 500;
/** A connection without responses for so long is opened again: Redis may have vanished. */
const SOCKET_TIMEOUT_MS = 2_000;

/** Stores windows in Redis: one script per key, all scripts of a batch at the same time. */
export class RedisWindows implements WindowStore {
  private readonly redis: ReturnType<typeof openRedis>;

  constructor(url: string) {
    this.redis = openRedis(url, {
      ...redisOptions,
      // Workers count no requests.
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      enableAutoPipelining: true,
    });
    // Without a listener ioredis prints errors; a failed command rejects anyway.
    this.redis.on('error', () => undefined);
  }

  async add(requests: ReadonlyMap<string, number>, seconds: number): Promise<ReadonlyMap<string, WindowState>> {
    const states = await Promise.all(
      [...requests].map(async ([key, count]): Promise<[string, WindowState]> => {
        const [total, ttl] = (await this.redis.eval(ADD, 1, `quota:${key}`, count, seconds * 1000)) as [number, number];
        return [key, { requests: total, ends_in_ms: ttl }];
      }),
    );
    return new Map(states);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }
}
