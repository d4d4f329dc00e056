import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { ScrapedMetrics } from '../support/metrics.js';
import { RedisProcess } from '../support/redis-process.js';
import { startService, type TestService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';

const MESSAGES = 400;
const OUTAGES = 5;

describe('Redis', () => {
  let redis: RedisProcess;
  let service: TestService;
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let workers: ServiceProcess[] = [];

  beforeAll(async () => {
    redis = await RedisProcess.start();
    service = await startService({ REDIS_URL: redis.url, LOG_LEVEL: 'fatal' });
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    sink.misbehave({ at: 'reply', wait: () => pause(20) });
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
    workers = await Promise.all([1, 2].map(() => ServiceProcess.startWorker(service, { LOG_LEVEL: 'fatal' })));
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await sink.stop();
  });
  afterAll(async () => {
    await service.stop();
    await redis.kill();
  });

  async function expectEachOnce(campaign: { id: number }): Promise<void> {
    await eventually(async () => {
      const { body } = await api.get(`/campaigns/${campaign.id}`);
      expect(body.data?.status).toBe('completed');
    });
    expect(new Set(sink.mails.map(({ message_id: id }) => id)).size).toBe(MESSAGES);
    expect(sink.mails).toHaveLength(MESSAGES);
  }
  const sent = (outage: number) => eventually(() => expect(sink.mails.length).toBeGreaterThan(outage * 50));

  it('may lose all its data while messages are sent: none is lost or sent twice', async () => {
    const campaign = await given.running(await given.contacts(MESSAGES, 'flush'));
    for (let outage = 1; outage <= OUTAGES; outage++) {
      await sent(outage);
      await redis.flush();
    }
    await expectEachOnce(campaign);
  });

  it('may be killed and come back without its data: none is lost or sent twice', async () => {
    const campaign = await given.running(await given.contacts(MESSAGES, 'kill'));
    for (let outage = 1; outage <= OUTAGES; outage++) {
      await sent(outage);
      await redis.kill();
      await pause(500);
      await redis.restart();
    }
    await expectEachOnce(campaign);
  });

  it('may be away for long: requests are served, readiness fails, and what was created meanwhile is sent afterwards', async () => {
    await redis.kill();
    const campaign = await given.running(await given.contacts(MESSAGES, 'away'));
    for (let n = 0; n < 20; n++) expect((await api.get('/contacts')).status).toBe(200);
    await eventually(async () => {
      const ready = await fetch(`${service.url}/health/ready`);
      expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { database: true, redis: false } }]);
    });
    const metrics = await ScrapedMetrics.of(service.url);
    expect(metrics.value('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(metrics.valuesOf('outreach_queue_jobs')).toEqual([]);
    await redis.restart();
    await eventually(async () => expect((await fetch(`${service.url}/health/ready`)).status).toBe(200));
    await expectEachOnce(campaign);
  });

  it('may be away while a worker stops: it ends in time', async () => {
    await redis.kill();
    const codes = await Promise.all(workers.map((worker) => worker.stop()));
    expect(codes).toEqual([0, 0]);
    await redis.restart();
  });
});
