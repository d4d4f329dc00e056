import { Redis } from 'ioredis';

const MIN_VERSION = [6, 2] as const;
const CONNECT_TIMEOUT_MS = 10_000;

/** @throws Error, with a line for the operator, if Redis is not available or older than 6.2 */
export async function assertRedisAvailable(url: string, timeoutMs = CONNECT_TIMEOUT_MS): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: timeoutMs });
  let connectionError: Error | undefined;
  // The client itself only rejects with "connection is closed".
  redis.on('error', (error: Error) => (connectionError ??= error));
  try {
    await redis.connect();
    assertVersion(await redis.info('server'));
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
