import { QUEUES } from '@outreach/job-queue';
import { redisCheck } from '../../src/platform/redis/index.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RedisProcess } from '../support/redis-process.js';
import { startService, type TestService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';

const MESSAGES = 20;

describe('a Redis that becomes a replica', () => {
  let first: RedisProcess;
  let second: RedisProcess;
  /** A primary for the others, which nothing uses. */
  let third: RedisProcess;
  let proxy: BreakableProxy;
  let service: TestService;
  let sink: MailSink;

  beforeAll(async () => {
    [first, second, third] = await Promise.all([RedisProcess.start(), RedisProcess.start(), RedisProcess.start()]);
    proxy = await BreakableProxy.to(first.url);
    service = await startService({ REDIS_URL: proxy.urlThrough(first.url), LOG_LEVEL: 'fatal' });
    await service.startWorker();
    sink = await MailSink.start();
  });
  afterAll(async () => {
    await sink.stop();
    // BullMQ does not end while the connection of a worker is being opened again.
    await expectWaitingWorkers();
    await service.stop();
    await proxy.stop();
    await Promise.all([first.kill(), second.kill(), third.kill()]);
  });

  async function expectReady(status: number, redis: boolean): Promise<void> {
    await eventually(async () => {
      const ready = await fetch(`${service.url}/health/ready`);
      expect([ready.status, await ready.json()]).toMatchObject([status, { checks: { database: true, redis } }]);
    });
  }

  /** Sends a campaign in a new workspace, for which workers have to be woken by jobs. */
  async function expectSent(): Promise<void> {
    const api = await service.client();
    const given = new Given(api, service.database);
    await given.mailbox(sink);
    const campaign = await given.running(await given.contacts(MESSAGES));
    await eventually(async () => {
      expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed');
    });
  }

  /** All workers of the service wait for jobs of the second Redis. */
  const expectWaitingWorkers = (): Promise<void> =>
    eventually(async () => expect(await second.blockedClients()).toBe(service.app.get<string[]>(QUEUES).length));

  const windows = (redis: RedisProcess): Promise<string[]> => redis.run((client) => client.keys('quota:token:*'));

  it('makes readiness fail until it accepts writes again; requests are served meanwhile', async () => {
    const api = await service.client();
    await expectReady(200, true);
    await first.replicate(third);
    await expectReady(503, false);
    expect((await api.get('/contacts')).status).toBe(200);
    await first.promote();
    await expectReady(200, true);
    await expectSent();
  });

  it('is left by open connections when its address leads to the new primary', async () => {
    await expectSent();
    await second.replicate(first);
    proxy.redirect(second.url);
    await second.promote();
    await first.replicate(second);
    await expectReady(200, true);
    await expectSent();
    const api = await service.client();
    await eventually(async () => {
      await api.get('/contacts');
      expect(await windows(second)).toContainEqual(expect.stringContaining(`token:`));
      expect(await first.blockedClients()).toBe(0);
    });
    await expectWaitingWorkers();
  });

  it('may be one while a worker stops: it ends in time', async () => {
    const worker = await ServiceProcess.startWorker(service, { LOG_LEVEL: 'fatal' });
    await second.replicate(third);
    await expectReady(503, false);
    expect(await worker.stop()).toBe(0);
    await second.promote();
    await expectReady(200, true);
  });

  it('stops the start of a process', async () => {
    await second.replicate(third);
    await expect(redisCheck.assertAvailable(second.url)).rejects.toThrow(/REDIS_URL leads to .* no writes: READONLY/);
    await second.promote();
  });
});
