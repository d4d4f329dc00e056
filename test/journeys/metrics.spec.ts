import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { register } from 'prom-client';
import { DecoratedMethods } from '@outreach/decorated-methods';
import { Log } from '@outreach/logging';
import { Metrics, SAMPLE_AGE } from '@outreach/metrics';
import type { ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { ScrapedMetrics } from '../support/metrics.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';
import { PLANNING, SENDING } from '../../src/sending/index.js';
import { DELIVERING } from '../../src/webhooks/index.js';

const MINUTES_LATE = 3;

describe('the metrics', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await service.startWorker();
  });
  afterAll(() => sink.stop());

  /** What this process has counted. */
  const counted = async () => new ScrapedMetrics(await register.metrics());

  const hasSamples = (metrics: ScrapedMetrics) =>
    expect(metrics.valuesOf('outreach_sample_age_seconds')).toHaveLength(8);

  /** Takes samples that are of now, as a process does before its first scrape. */
  async function sampled(): Promise<ScrapedMetrics> {
    const metrics = new Metrics(
      service.app.get(DecoratedMethods, { strict: false }),
      service.app.get(Log),
      service.app.get(SAMPLE_AGE, { strict: false }),
    );
    metrics.onApplicationBootstrap();
    try {
      return await eventually(async () => {
        const scraped = new ScrapedMetrics(await metrics.text());
        hasSamples(scraped);
        return scraped;
      });
    } finally {
      await metrics.beforeApplicationShutdown();
    }
  }

  let process: Promise<ScrapedMetrics> | undefined;
  /** The metrics of one API process. */
  const ofProcess = () => (process ??= scrapeProcess());
  async function scrapeProcess(): Promise<ScrapedMetrics> {
    const api = await ServiceProcess.startApi(service);
    // A request that the metrics have.
    await fetch(`${api.url}/v1/me`);
    try {
      return await eventually(async () => {
        const metrics = await ScrapedMetrics.of(api.url);
        hasSamples(metrics);
        return metrics;
      });
    } finally {
      await api.stop();
    }
  }

  const outcome = (metrics: ScrapedMetrics, name: string): number =>
    metrics.value('outreach_messages_total', { outcome: name }) ?? Number.NaN;
  const sending = () => service.app.get<Queue>(getQueueToken(SENDING), { strict: false });

  it('count what becomes of messages, claims and planned enrollments', async () => {
    const before = await counted();
    sink.misbehave(
      { at: 'rcpt', matches: /^dead/, refuse: [550, '5.1.1 No such user'] },
      { at: 'rcpt', matches: /^full/, refuse: [452, '4.2.2 Full'] },
      { at: 'rcpt', matches: /^spam/, refuse: [554, '5.7.1 Refused'] },
    );
    await given.mailbox(sink);
    const contacts: number[] = [];
    for (const name of ['good', 'dead', 'full', 'spam'])
      contacts.push((await given.contact({ email: `${name}@example.com` })).id);
    await given.running(contacts);
    await eventually(async () => {
      const now = await counted();
      const changes = ['sent', 'bounced', 'postponed', 'failed', 'cancelled', 'unknown'].map((name) => [
        name,
        outcome(now, name) - outcome(before, name),
      ]);
      expect(Object.fromEntries(changes)).toEqual({
        sent: 1,
        bounced: 1,
        postponed: 1,
        failed: 1,
        cancelled: 0,
        unknown: 0,
      });
      for (const name of ['outreach_messages_claimed_total', 'outreach_enrollments_planned_total'])
        expect([name, (now.value(name) ?? 0) - (before.value(name) ?? 0)]).toEqual([name, 4]);
    });
    sink.behave();
  });

  it('have the messages that are due and their age while nobody sends them', async () => {
    await sending().pause();
    const campaign = await given.running(await given.contacts(5, 'due'));
    await eventually(async () =>
      expect(
        await service.database.query(
          `UPDATE queued_messages SET next_attempt_at = now() - make_interval(mins => $2)
           WHERE campaign_id = $1 AND lease_until IS NULL RETURNING id`,
          [campaign.id, MINUTES_LATE],
        ),
      ).toHaveLength(5),
    );
    await eventually(async () => {
      const waiting = await sampled();
      expect(waiting.value('outreach_messages_due')).toBe(5);
      expect(waiting.value('outreach_messages_oldest_due_seconds')).toBeGreaterThanOrEqual(MINUTES_LATE * 60);
    });
  });

  it('have no due messages once these are sent', async () => {
    await sending().resume();
    await eventually(() => expect(sink.mails).toHaveLength(1 + 5));
    await eventually(async () => {
      const sent = await sampled();
      expect(sent.value('outreach_messages_due')).toBe(0);
      expect(sent.value('outreach_messages_oldest_due_seconds')).toBe(0);
    });
  });

  it('have accounts, queues, connections and the polls of the scheduler', async () => {
    const metrics = await ofProcess();
    const states = ['active', 'limit_reached', 'inactive'].map((state) =>
      metrics.value('outreach_email_accounts', { state }),
    );
    expect(states).toEqual([1, 0, 0]);
    for (const queue of [PLANNING, SENDING, DELIVERING])
      for (const state of ['waiting', 'active'])
        expect(metrics.value('outreach_queue_jobs', { queue, state })).toBeGreaterThanOrEqual(0);
    const connections = ['used', 'idle', 'free'].map(
      (state) => metrics.value('outreach_database_pool', { state }) ?? Number.NaN,
    );
    expect(connections.reduce((sum, count) => sum + count)).toBe(12);
    expect(metrics.value('outreach_database_pool', { state: 'waiting' })).toBe(0);
    expect(metrics.value('outreach_due_work_poll_late_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('have for how long no worker has looked for due work', async () => {
    const late = async () => (await sampled()).value('outreach_due_work_poll_late_seconds');
    const task = `SELECT 1 FROM scheduled_tasks WHERE name = 'find-due-work' FOR UPDATE`;
    const blocking = await BlockingTransaction.begin(service.database, task, []);
    await eventually(async () => expect(await late()).toBeGreaterThan(0));
    await blocking.end();
    await eventually(async () => expect(await late()).toBe(0));
  });

  it('include those of Node and HTTP, and no label names a workspace', async () => {
    const metrics = await ofProcess();
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect([name, metrics.value(name)]).toEqual([name, expect.any(Number)]);
    expect(metrics.names).toContain('outreach_http_request_duration_seconds_bucket');
    const labels = metrics.names.flatMap((name) => metrics.valuesOf(name).flatMap((each) => Object.keys(each.labels)));
    expect(labels.filter((label) => /workspace|account_id|campaign|contact/.test(label))).toEqual([]);
  });

  it('count an account whose login is refused, and its state', async () => {
    const before = await counted();
    sink.misbehave({ at: 'login', refuse: [535, '5.7.8 Wrong password'] });
    // The worker would use a connection that is logged in already.
    sink.hangUp();
    await given.running([(await given.contact()).id]);
    await eventually(async () => {
      const now = await counted();
      const name = 'outreach_email_accounts_disabled_total';
      expect((now.value(name) ?? 0) - (before.value(name) ?? 0)).toBe(1);
    });
  });
});
