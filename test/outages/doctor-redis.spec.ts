import { Redis } from 'ioredis';
import { CommandRunner } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { RedisProcess } from '../support/redis-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
}

describe('outreach doctor', () => {
  const commands = new CommandRunner();
  let database: TestDatabase;
  let redis: RedisProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    redis = await RedisProcess.start();
  });
  afterAll(async () => {
    commands.stop();
    await redis.kill();
    await database.drop();
  });

  /** The exit code and the findings about Redis. Repeated if a check has timed out, as on a machine that was paused. */
  const examine = () =>
    eventually(async () => {
      const env = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: 'a key that only tests use',
        PUBLIC_URL: 'https://localhost',
        REDIS_URL: redis.url,
      };
      const { code, stdout } = await commands.run(['doctor', '--json'], env);
      const { checks } = JSON.parse(stdout) as { checks: Finding[] };
      expect(checks.map(({ message }) => message)).not.toContain('no response within 5 seconds');
      return { code, findings: checks.filter(({ check }) => check === 'redis') };
    });

  it('reports a Redis that may remove jobs when its memory is full, and one that cannot be reached', async () => {
    expect((await examine()).findings).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    client.disconnect();
    expect(await examine()).toMatchObject({
      code: 1,
      findings: [{ status: 'ok' }, { status: 'error', message: 'eviction policy allkeys-lru' }],
    });
    await redis.kill();
    expect((await examine()).findings).toMatchObject([
      { status: 'error', message: expect.stringContaining('ECONNREFUSED') },
    ]);
  });
});
