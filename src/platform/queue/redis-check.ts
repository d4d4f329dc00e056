import { Redis } from 'ioredis';

const OLDEST = [6, 2] as const;
const PATIENCE_MS = 10_000;

/** @throws Error, with a line for the operator, when Redis does not answer or is older than 6.2 */
export async function assertRedisAnswers(url: string, patienceMs = PATIENCE_MS): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: patienceMs });
  let fault: Error | undefined;
  // What the client rejects with says only that the connection is closed.
  redis.on('error', (error: Error) => (fault ??= error));
  try {
    await redis.connect();
    assertVersion(await redis.info('server'));
  } catch (error) {
    throw fault ?? error;
  } finally {
    redis.disconnect();
  }
}

function assertVersion(info: string): void {
  const [, version = '', major, minor] = /^redis_version:((\d+)\.(\d+)\S*)/m.exec(info) ?? [];
  const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  if (isOld) throw new Error(`Redis ${OLDEST.join('.')} or newer is needed; REDIS_URL leads to ${version}`);
}
