import { QUEUES } from '@outreach/job-queue';
import { checkRedis } from '../../src/app/doctor/network-checks.cross-tenant.js';
import { redisCheck } from '../../src/platform/redis/index.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RedisCluster } from '../support/redis-cluster.js';
import { RedisProcess } from '../support/redis-process.js';
import { RedisSentinel } from '../support/redis-sentinel.js';
import { RequestGate } from '../support/request-gate.js';
import { startService, type TestService } from '../support/service.js';

const MESSAGES = 60;
const WORKERS = 2;

/** A service with workers, and campaigns that stop in the middle until a test lets them go on. */
class SendingService {
  private constructor(
    readonly service: TestService,
    private readonly sink: MailSink,
  ) {}

  static async on(REDIS_URL: string): Promise<SendingService> {
    const service = await startService({ REDIS_URL, LOG_LEVEL: 'fatal' });
    for (let n = 0; n < WORKERS; n++) await service.startWorker();
    return new SendingService(service, await MailSink.start());
  }

  async expectReady(status: number): Promise<void> {
    await eventually(async () => {
      const ready = await fetch(`${this.service.url}/health/ready`);
      expect([ready.status, await ready.json()]).toMatchObject([status, { checks: { redis: status === 200 } }]);
    });
  }

  /** All workers of the service wait for jobs in servers. */
  async expectWaitingWorkers(servers: readonly RedisProcess[]): Promise<void> {
    const queues = this.service.app.get<string[]>(QUEUES).length;
    await eventually(async () => {
      const waiting = await Promise.all(servers.map((server) => server.blockedClients()));
      expect(waiting.reduce((sum, count) => sum + count)).toBe(WORKERS * queues);
    });
  }

  /** Sends a campaign in a new workspace, and expects that each message is sent once. @param inTheMiddle what happens then */
  async sendEachOnce(inTheMiddle: (api: ApiClient) => Promise<void>): Promise<void> {
    const api = await this.service.client();
    const given = new Given(api, this.service.database);
    const gate = new RequestGate(MESSAGES / 2);
    const before = this.sink.mails.length;
    this.sink.misbehave({ at: 'rcpt', wait: gate.pass });
    await given.mailbox(this.sink);
    const campaign = await given.running(await given.contacts(MESSAGES));
    await eventually(() => expect(gate.waiting).toBeGreaterThan(0));
    await inTheMiddle(api);
    this.sink.behave();
    gate.open();
    await eventually(async () => {
      expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed');
    });
    const mails = this.sink.mails.slice(before);
    expect(mails).toHaveLength(MESSAGES);
    expect(new Set(mails.map(({ message_id: id }) => id)).size).toBe(MESSAGES);
  }

  /** BullMQ does not end while the connection of a worker is being opened again. @param servers what its workers wait for */
  async stop(servers: readonly RedisProcess[]): Promise<void> {
    await this.sink.stop();
    await this.expectWaitingWorkers(servers);
    await this.service.stop();
  }
}

const messagesOf = async (url: string): Promise<string[]> =>
  (await checkRedis(url).run()).map(({ message }) => message);

describe('a Redis Cluster', () => {
  let cluster: RedisCluster;
  let sending: SendingService;
  beforeAll(async () => {
    cluster = await RedisCluster.start(3);
    sending = await SendingService.on(cluster.url);
  });
  afterAll(async () => {
    await sending.stop(cluster.nodes);
    await cluster.stop();
  });

  it('has the keys of each queue in one slot, the queues on several nodes, and the quotas of each caller in one key', async () => {
    await sending.sendEachOnce(async (api) => {
      expect((await api.get('/contacts')).status).toBe(200);
    });
    const keys = await Promise.all(cluster.nodes.map((node) => node.run((client) => client.keys('*'))));
    const queues = (found: string[]) => found.filter((key) => key.startsWith('bull:'));
    expect(queues(keys.flat()).filter((key) => !/^bull:\{([a-z_-]+)\}:\1:/.test(key))).toEqual([]);
    expect(keys.filter((found) => queues(found).length > 0).length).toBeGreaterThan(1);
    expect(keys.flat()).toContainEqual(expect.stringMatching(/^quota:token:\d+$/));
  });

  it.each([0, 1, 2])(
    'may lose node %i in the middle of a campaign: readiness fails, no message is lost or sent twice',
    async (n) => {
      const node = cluster.nodes[n];
      await sending.expectReady(200);
      await sending.sendEachOnce(async (api) => {
        await node?.kill();
        await sending.expectReady(503);
        expect((await api.get('/contacts')).status).toBe(200);
        await node?.restart();
        await sending.expectReady(200);
      });
      await sending.sendEachOnce(async () => undefined);
    },
  );

  it('is described by outreach doctor with its nodes', async () => {
    const [found, ...others] = await messagesOf(cluster.url);
    expect(found).toMatch(/^Redis [\d.]+ at .*, a cluster of 3 primaries$/);
    for (const { port } of cluster.nodes) expect(found).toContain(`127.0.0.1:${port}`);
    expect(others).toEqual(['eviction policy noeviction']);
  });
});

describe('the primary of a Sentinel', () => {
  let redis: RedisSentinel;
  let sending: SendingService;
  beforeAll(async () => {
    redis = await RedisSentinel.start();
    sending = await SendingService.on(redis.url);
  });
  afterAll(async () => {
    await sending.stop(redis.servers);
    await redis.stop();
  });

  const primary = async (): Promise<RedisProcess> => {
    const port = await redis.primaryPort();
    const found = redis.servers.find((server) => server.port === port);
    if (!found) throw new Error('The Sentinel names another server.');
    return found;
  };

  it('may change in the middle of a campaign: no message is lost or sent twice', async () => {
    await sending.sendEachOnce(async () => {
      await redis.failOver();
      await sending.expectReady(200);
    });
    await sending.expectWaitingWorkers([await primary()]);
    await sending.sendEachOnce(async () => undefined);
  });

  it('may die in the middle of a campaign: the replica takes over, no message is lost or sent twice', async () => {
    const lost = await primary();
    await eventually(async () => expect(await lost.isReplicated()).toBe(true));
    await sending.sendEachOnce(async (api) => {
      await lost.kill();
      expect((await api.get('/contacts')).status).toBe(200);
      await eventually(async () => expect(await primary()).not.toBe(lost));
      await sending.expectReady(200);
    });
    await sending.sendEachOnce(async () => undefined);
    await lost.restart();
  });

  it('is described by outreach doctor, with the login that the URL has', async () => {
    const { port } = await primary();
    expect(await messagesOf(redis.url)).toEqual([
      expect.stringMatching(
        new RegExp(`^Redis [\\d.]+ at 127\\.0\\.0\\.1:${port}, the primary outreach of Sentinels$`),
      ),
      'eviction policy noeviction',
    ]);
    const logins = await (await primary()).run((client) => client.client('LIST'));
    expect(logins).toContain('user=service');
    for (const wrong of [/sentinel_password=[^&]*/, /service:[^@]*/]) {
      const url = redis.url.replace(wrong, (found) => `${found}x`);
      await expect(redisCheck.assertAvailable(url)).rejects.toThrow(/WRONGPASS/);
    }
  });
});

describe('a URL of another kind of Redis', () => {
  let server: RedisProcess;
  let cluster: RedisCluster;
  let sentinel: RedisSentinel;
  beforeAll(async () => {
    [server, cluster, sentinel] = await Promise.all([
      RedisProcess.start(),
      RedisCluster.start(1),
      RedisSentinel.start(),
    ]);
  });
  afterAll(() => Promise.all([server.kill(), cluster.stop(), sentinel.stop()]));

  it.each([
    ['a node of a cluster', () => cluster.nodes[0]?.url, 'leads to a Redis Cluster: write redis+cluster://host:port'],
    ['a Sentinel', () => sentinel.sentinel.url, 'leads to a Sentinel: write redis+sentinel://host:port/name'],
    [
      'one server, not a cluster',
      () => server.url.replace(':', '+cluster:'),
      'leads to one Redis server, not to a cluster: write redis:',
    ],
    [
      'one server, not a Sentinel',
      () => `${server.url.replace(':', '+sentinel:')}/name`,
      'leads to a server that is no Sentinel: write',
    ],
    [
      'a name that no Sentinel knows',
      () => sentinel.url.replace('/outreach/', '/other/'),
      'has a name that its Sentinels do not know',
    ],
  ])('is refused with the right one: %s', async (_, url, message) => {
    await expect(redisCheck.assertAvailable(url() ?? '')).rejects.toThrow(`REDIS_URL ${message}`);
  });

  it('is refused if a cluster has keys that no node is responsible for', async () => {
    const [node] = cluster.nodes;
    await node?.run((client) => client.cluster('DELSLOTS', 5));
    await expect(redisCheck.assertAvailable(cluster.url)).rejects.toThrow(/serves 16383 of 16384 slots/);
    await node?.run((client) => client.cluster('ADDSLOTS', 5));
    await redisCheck.assertAvailable(cluster.url);
  });
});
