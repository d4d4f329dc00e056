import { networkInterfaces } from 'node:os';
import { CommandRunner, freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { linesOf } from '../support/log-lines.js';
import { RedisProcess } from '../support/redis-process.js';
import { ServiceProcess } from '../support/service-process.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** An address of this machine that is not of loopback, where a Redis in protected mode refuses clients. */
const OUTSIDE = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('a Redis that refuses the service', () => {
  const commands = new CommandRunner();
  let database: TestDatabase;
  let redis: RedisProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    redis = await RedisProcess.start([], OUTSIDE === undefined ? [] : [OUTSIDE]);
  });
  afterAll(async () => {
    commands.stop();
    await redis.kill();
    await database.drop();
  });

  /** The one line with which `serve` ends. */
  async function refusalOf(url: string): Promise<string> {
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: 'a key that only tests use', PORT: await freePort() };
    const { code, stderr } = await commands.run(['serve'], { ...env, REDIS_URL: url });
    expect([code, stderr.match(/\n/g)]).toEqual([1, ['\n']]);
    return stderr;
  }

  if (OUTSIDE !== undefined)
    it('because it is in protected mode ends the start with its first sentence and the ways out', async () => {
      expect(await refusalOf(`redis://${OUTSIDE}:${redis.port}`)).toMatch(
        /: it says "DENIED Redis is running in protected mode because [^"]*\."; set a password .* or set "protected-mode no"/,
      );
    });

  it('because it has a password ends the start with its words and how to write the password', async () => {
    const locked = await RedisProcess.start();
    await locked.run((client) => client.config('SET', 'requirepass', 'secret'));
    try {
      expect(await refusalOf(locked.url)).toMatch(/it says "NOAUTH .*"; write the password into the URL/);
      expect(await refusalOf(locked.url.replace('//', '//:wrong@'))).toMatch(
        /it says "WRONGPASS .*"; compare user and password/,
      );
    } finally {
      await locked.kill();
    }
  });
});

describe('a Redis that gets a password while the service runs', () => {
  let redis: RedisProcess;
  let service: TestService;
  let worker: ServiceProcess;
  beforeAll(async () => {
    redis = await RedisProcess.start();
    service = await startService({ REDIS_URL: redis.url, LOG_LEVEL: 'fatal' });
    worker = await ServiceProcess.startWorker(service, { LOG_LEVEL: 'warn' });
  });
  afterAll(async () => {
    await worker.stop();
    await service.stop();
    await redis.kill();
  });

  it('is one line of the log, with its words and what to do', async () => {
    await redis.run(async (client) => {
      await client.config('SET', 'requirepass', 'secret');
      await client.call('CLIENT', 'KILL', 'SKIPME', 'yes');
      const lost = () => linesOf(worker.errorOutput, 'connection lost');
      await eventually(() =>
        expect(lost()).toMatchObject([
          {
            to: `Redis at 127.0.0.1:${redis.port}`,
            reason: expect.stringMatching(/^NOAUTH/),
            advice: expect.stringMatching(/password/),
          },
        ]),
      );
      await client.config('SET', 'requirepass', '');
      await eventually(() => expect(linesOf(worker.errorOutput, 'connection restored')).toHaveLength(1));
    });
  });
});
