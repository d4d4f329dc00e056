import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';
import { trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';

const PEOPLE = 100;
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1_000;
const DAY_MINUTES = 24 * 60;
/** The days from the start on which the steps are due. */
const DAYS = [0, 3, 7, 12, 18];
const STEPS = DAYS.map((day, index) => ({
  subject: `Step ${index + 1}`,
  body: '<p>Hello {{ first_name }}</p>',
  delay_minutes: (day - (DAYS[index - 1] ?? 0)) * DAY_MINUTES,
}));
/** How much later than its instant work may be done, in days. */
const LATE_DAYS = 120 / DAY_SECONDS;

interface Clock {
  readonly now: string;
  readonly is_settled: boolean;
}

interface Setup {
  readonly fields?: object;
  readonly account?: object;
  readonly prepare?: (api: ApiClient) => Promise<unknown>;
}

describe('a sandbox whose clock is put forward', () => {
  trustReceivers();
  const service = useService();
  let sink: MailSink;

  beforeAll(async () => {
    sink = await MailSink.start();
    await service.startWorker();
  });
  afterAll(() => sink.stop());

  const read = async (api: ApiClient): Promise<Clock> => (await api.get('/sandbox/clock')).data;
  const advance = async (api: ApiClient, seconds: number): Promise<Clock> =>
    (await api.post('/sandbox/clock', { advance_seconds: seconds })).data;

  /** Puts the clock forward, and waits until everything is done, which takes long on a busy machine. */
  const settled = async (api: ApiClient, seconds: number): Promise<Clock> => {
    const clock = await advance(api, seconds);
    if (clock.is_settled) return clock;
    return eventually(async () => {
      const later = await read(api);
      expect(later).toMatchObject({ is_settled: true });
      return later;
    });
  };

  /** A sandbox at noon, whatever the hour of the test: daily limits and schedules have the same day before them. */
  const sandboxAtNoon = async (): Promise<ApiClient> => {
    const api = await service.sandbox();
    const now = Date.parse((await read(api)).now);
    const noon = (Math.floor(now / DAY_MS) + 1.5) * DAY_MS;
    await settled(api, Math.floor((noon - now) / 1_000));
    return api;
  };

  const started = async (people: number, { fields = {}, account = {}, prepare }: Setup = {}) => {
    const api = await sandboxAtNoon();
    const given = new Given(api, service.database);
    await given.mailbox(sink, { daily_limit: 1_000, ...account });
    await prepare?.(api);
    const contacts = await given.contacts(people);
    const from = Date.parse((await read(api)).now);
    const { id } = await given.running(contacts, { steps: STEPS, ...fields });
    return { api, from, campaign: async () => (await api.get(`/campaigns/${id}`)).data };
  };

  /** After how many days the messages were sent, by subject, first and last. */
  const sentDays = async (api: ApiClient, from: number) => {
    const rows = await service.database.query<{ subject: string; sent: number; first: number; last: number }>(
      `SELECT subject, count(*)::int AS sent, (extract(epoch FROM min(sent_at)) - $2 / 1000.0)::float8 / 86400 AS first,
         (extract(epoch FROM max(sent_at)) - $2 / 1000.0)::float8 / 86400 AS last
       FROM messages WHERE workspace_id = $1 GROUP BY subject ORDER BY subject`,
      [api.workspaceId, from],
    );
    return rows;
  };

  it('sends a sequence of three weeks to 100 contacts in seconds, each step at its time, and delivers every event', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const webhook = { url: receiver.url('/all'), events: ['email.sent', 'campaign.completed'] };
      const { api, from, campaign } = await started(PEOPLE, { prepare: (own) => own.post('/webhooks', webhook) });
      const { now } = await settled(api, 21 * DAY_SECONDS);
      expect((Date.parse(now) - from) / DAY_MS).toBeCloseTo(21, 2);
      const sent = await sentDays(api, from);
      expect(sent.map((step) => step.sent)).toEqual(DAYS.map(() => PEOPLE));
      sent.forEach(({ first, last }, index) => {
        const day = DAYS[index] ?? 0;
        expect(first).toBeGreaterThanOrEqual(day);
        expect(last).toBeLessThan(day + LATE_DAYS);
      });
      const { status, completed_at } = await campaign();
      expect([status, Math.floor((Date.parse(completed_at) - from) / DAY_MS)]).toEqual(['completed', 18]);
      const events = receiver.at('/all').map(({ body }) => body.event as string);
      expect(events.filter((event) => event === 'email.sent')).toHaveLength(STEPS.length * PEOPLE);
      expect(events.filter((event) => event === 'campaign.completed')).toHaveLength(1);
    } finally {
      await receiver.stop();
    }
  });

  it('sends on each of its days what the daily limit allows', async () => {
    const { api, from } = await started(10, { fields: { steps: STEPS.slice(0, 1) }, account: { daily_limit: 4 } });
    expect(await advance(api, 5 * DAY_SECONDS)).toMatchObject({ is_settled: true });
    const days = await service.database.query<{ day: number; sent: number }>(
      `SELECT (sent_at AT TIME ZONE 'UTC')::date - (to_timestamp($2 / 1000.0) AT TIME ZONE 'UTC')::date AS day, count(*)::int AS sent
       FROM messages WHERE workspace_id = $1 GROUP BY 1 ORDER BY 1`,
      [api.workspaceId, from],
    );
    expect(days).toEqual([
      { day: 0, sent: 4 },
      { day: 1, sent: 4 },
      { day: 2, sent: 2 },
    ]);
  });

  it('is settled while more contacts wait for an account than its queue takes, whoever asks', async () => {
    const { api } = await started(1_400, { fields: { steps: STEPS.slice(0, 1) }, account: { daily_limit: 2 } });
    expect(await settled(api, 600)).toMatchObject({ is_settled: true });
    expect(await read(api)).toMatchObject({ is_settled: true });
    expect(await advance(api, DAY_SECONDS)).toMatchObject({ is_settled: true });
    expect(await read(api)).toMatchObject({ is_settled: true });
    expect((await api.get('/campaigns')).data).toMatchObject([{ status: 'active' }]);
  });

  it('keeps the gap between messages, and sends within the schedule only', async () => {
    const window = { timezone: 'UTC', days: [1, 3], start: '09:00', end: '09:30' };
    const { api } = await started(8, {
      fields: { steps: STEPS.slice(0, 1), schedule: window },
      account: { min_seconds_between: 300 },
    });
    expect(await advance(api, 14 * DAY_SECONDS)).toMatchObject({ is_settled: true });
    const times = (
      await service.database.query<{ at: Date }>(
        `SELECT sent_at AS at FROM messages WHERE workspace_id = $1 AND sent_at IS NOT NULL ORDER BY sent_at`,
        [api.workspaceId],
      )
    ).map(({ at }) => at);
    expect(times).toHaveLength(8);
    for (const at of times) {
      expect([1, 3]).toContain(at.getUTCDay());
      expect(at.toISOString().slice(11, 16) >= '09:00' && at.toISOString().slice(11, 16) < '09:30').toBe(true);
    }
    const gaps = times.slice(1).map((at, index) => (at.getTime() - (times[index]?.getTime() ?? 0)) / 1_000);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(300);
  });

  it.each([
    ['a gap', { min_seconds_between: 30 }, 2],
    ['a daily limit that is used up', { daily_limit: 1 }, 1],
  ])('goes on while an account with %s waits for a slow server', async (_, account, sent) => {
    const api = await sandboxAtNoon();
    const given = new Given(api, service.database);
    await given.mailbox(sink, account);
    const slow = await given.contact({ email: 'anna+slow@recipient.example' });
    const campaign = await given.running([slow.id, (await given.contact()).id]);
    expect(await advance(api, 600)).toMatchObject({ is_settled: true });
    expect((await api.get(`/campaigns/${campaign.id}/stats`)).data.messages.sent).toBe(sent);
  });

  it.each([
    ['', () => ({})],
    [' with an Idempotency-Key', (n: number) => ({ 'idempotency-key': `advance-${n}` })],
  ])('does what becomes due at its time while concurrent requests%s put the clock forward', async (_, headers) => {
    const steps = STEPS.slice(0, 2).map((step, index) => ({ ...step, delay_minutes: index * 90 }));
    const { api, from } = await started(1, { fields: { steps } });
    await settled(api, 0);
    const clocks: Clock[] = await Promise.all(
      Array.from({ length: 3 }, async (__, n) => {
        return (await api.post('/sandbox/clock', { advance_seconds: 3_600 }, headers(n))).data;
      }),
    );
    const hours = (now: string) => (Date.parse(now) - from) / 3_600_000;
    await eventually(async () => expect(await read(api)).toMatchObject({ is_settled: true }));
    expect(hours((await read(api)).now)).toBeCloseTo(3, 1);
    expect(Math.min(...clocks.map(({ now }) => hours(now)))).toBeGreaterThanOrEqual(1);
    expect(Math.max(...clocks.map(({ now }) => hours(now)))).toBeCloseTo(3, 1);
    const [, second] = await sentDays(api, from);
    expect((second?.first ?? 0) * 24).toBeCloseTo(1.5, 1);
  });

  it('writes new contacts of a limited campaign day by day', async () => {
    const { api, from } = await started(7, { fields: { steps: STEPS.slice(0, 1), max_new_contacts_per_day: 3 } });
    expect(await advance(api, 6 * DAY_SECONDS)).toMatchObject({ is_settled: true });
    const [step] = await sentDays(api, from);
    expect([step?.sent, Math.floor(step?.last ?? 0)]).toEqual([7, expect.any(Number)]);
    expect(step?.last).toBeGreaterThan(1);
    expect(step?.last).toBeLessThan(3);
  });

  it('writes new contacts day by day in a time zone that PostgreSQL does not know, of an earlier version', async () => {
    const { api, from, campaign } = await started(3, {
      fields: { steps: STEPS.slice(0, 1), max_new_contacts_per_day: 1 },
    });
    const schedule = { timezone: 'AGT', days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '23:59' };
    await service.database.query('UPDATE campaigns SET schedule = $2 WHERE id = $1', [(await campaign()).id, schedule]);
    expect(await settled(api, 4 * DAY_SECONDS)).toMatchObject({ is_settled: true });
    const [step] = await sentDays(api, from);
    expect(step?.sent).toBe(3);
    expect(step?.last).toBeGreaterThan(1);
    expect(step?.last).toBeLessThan(3);
  });

  it('repeats deliveries to a webhook that fails at its times', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const api = await service.sandbox();
      receiver.reply = () => ({ status: 500 });
      const hook = await api.post('/webhooks', { url: receiver.url('/failing'), events: ['contact.created'] });
      await new Given(api, service.database).contact();
      expect(await advance(api, 3 * DAY_SECONDS)).toMatchObject({ is_settled: true });
      const logs: { created_at: string }[] = (await api.get(`/webhooks/${hook.data.id}/logs?per_page=100`)).data;
      expect(logs).toHaveLength(8);
      const times = logs.map((log) => Date.parse(log.created_at)).sort((one, other) => one - other);
      const hours = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 3_600_000;
      // 27.6 hours, of which each pause may be a fifth shorter or longer.
      expect(hours).toBeGreaterThan(22);
      expect(hours).toBeLessThan(33.2);
      expect(receiver.at('/failing')).toHaveLength(8);
    } finally {
      await receiver.stop();
    }
  });

  it('sends an uncertain message twice without waiting, although its mailbox is read', async () => {
    const api = await service.sandbox();
    const given = new Given(api, service.database);
    await given.mailbox(sink, { imap_host: 'imap.nowhere.invalid' });
    const { id: contact } = await given.contact({ email: 'anna+unknown@recipient.example' });
    const campaign = await given.running([contact], { steps: STEPS.slice(0, 1), on_unknown: 'resend' });
    expect(await settled(api, DAY_SECONDS)).toMatchObject({ is_settled: true });
    expect((await api.get(`/campaigns/${campaign.id}/messages`)).data).toMatchObject([{ status: 'unknown' }]);
    expect((await api.get('/sandbox/messages')).body.meta.total).toBe(2);
  });

  it('passes the minute of each message to slow, also if there are more of them than connections', async () => {
    const api = await service.sandbox();
    const given = new Given(api, service.database);
    await given.mailbox(sink);
    const ids: number[] = [];
    for (let n = 0; n < 25; n += 1) {
      ids.push((await given.contact({ email: `slow${n}+slow+opened@recipient.example` })).id);
      ids.push((await given.contact({ email: `fast${n}@recipient.example` })).id);
    }
    await given.running(ids, { steps: STEPS.slice(0, 1), track_opens: true });
    expect(await advance(api, DAY_SECONDS)).toMatchObject({ is_settled: true });
    const [row] = await service.database.query<{ sent: number; opened: number; minutes: number }>(
      `SELECT count(*)::int AS sent, count(opened_at)::int AS opened,
         (extract(epoch FROM max(sent_at) - min(sent_at)) / 60)::float8 AS minutes
       FROM messages WHERE workspace_id = $1 AND status = 'sent'`,
      [api.workspaceId],
    );
    expect([row?.sent, row?.opened]).toEqual([50, 25]);
    expect(row?.minutes).toBeGreaterThan(1);
    expect(row?.minutes).toBeLessThan(30);
  });

  it('changes nothing in other workspaces, and no time in its own decreases', async () => {
    const other = await service.client();
    const untouched = new Given(other, service.database);
    await untouched.mailbox(sink);
    const campaign = await untouched.running(await untouched.contacts(3), { steps: STEPS.slice(0, 2) });
    const { api } = await started(5);
    const times: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const { data: tag } = await api.post('/tags', { name: `Tag ${n}` });
      times.push(tag.created_at);
      times.push((await advance(api, 2 * DAY_SECONDS)).now);
    }
    expect(times).toEqual([...times].sort());
    const events = await service.database.query<{ created_at: Date }>(
      'SELECT created_at FROM messages WHERE workspace_id = $1 ORDER BY id',
      [api.workspaceId],
    );
    expect(events.map(({ created_at: at }) => at.getTime())).toEqual(
      events.map(({ created_at: at }) => at.getTime()).sort((one, next) => one - next),
    );
    await eventually(async () => {
      const { data } = await other.get(`/campaigns/${campaign.id}/messages`);
      expect(data.filter(({ sent_at }: { sent_at: string | null }) => sent_at)).toHaveLength(3);
      for (const { sent_at } of data as { sent_at: string }[])
        expect(Math.abs(Date.parse(sent_at) - Date.now())).toBeLessThan(60_000);
    });
  });
});

describe('a sandbox whose worker is killed while the clock is put forward', () => {
  const service = useService();

  it('reaches its target with another worker, and every contact gets each step once', async () => {
    const sink = await MailSink.start();
    const first = await ServiceProcess.startWorker(service);
    let second: ServiceProcess | undefined;
    try {
      const api = await service.sandbox();
      const given = new Given(api, service.database);
      await given.mailbox(sink, { min_seconds_between: 60 });
      const from = Date.parse((await api.get('/sandbox/clock')).data.now);
      const campaign = await given.running(await given.contacts(30), { steps: STEPS.slice(0, 3) });
      const advanced = api.post('/sandbox/clock', { advance_seconds: 10 * DAY_SECONDS });
      const daysPassed = async () => (Date.parse((await api.get('/sandbox/clock')).data.now) - from) / DAY_MS;
      await eventually(async () => expect(await daysPassed()).toBeGreaterThan(1));
      await first.kill();
      second = await ServiceProcess.startWorker(service);
      await advanced;
      await eventually(async () => expect((await api.get('/sandbox/clock')).data).toMatchObject({ is_settled: true }));
      expect(await daysPassed()).toBeGreaterThanOrEqual(10);
      expect((await api.get(`/campaigns/${campaign.id}`)).data).toMatchObject({ status: 'completed' });
      const messages = await service.database.query<{ subject: string; sent: number }>(
        `SELECT subject, count(*)::int AS sent FROM messages WHERE workspace_id = $1 AND sent_at IS NOT NULL GROUP BY 1 ORDER BY 1`,
        [api.workspaceId],
      );
      expect(messages.map(({ sent }) => sent)).toEqual([30, 30, 30]);
    } finally {
      await first.kill();
      await second?.kill();
      await sink.stop();
    }
  });
});
