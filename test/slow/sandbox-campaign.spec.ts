import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';

const DAY_SECONDS = 86_400;
const MINUTES_PER_DAY = 1_440;
const STEP_DAYS = [0, 3, 4, 5, 6];
const BODY = '<p>Hello, <a href="https://acme.example/offer">an offer</a></p>';
/** Ten people of each kind. */
const TAGS = [
  '',
  '+delivered',
  '+opened',
  '+opened+clicked',
  '+bounced',
  '+soft',
  '+replied',
  '+ooo',
  '+bot',
  '+unsubscribed',
];
const EVENTS = ['sent', 'delivered', 'bounced', 'opened', 'clicked', 'replied'].map((name) => `email.${name}`);
/** How many messages a person of each kind gets. Who is away for a week after each gets fewer than the others. */
const MESSAGES = [5, 5, 5, 5, 1, 1, 1, undefined, 5, 1];

describe('a campaign of three weeks in a sandbox', () => {
  trustReceivers();
  const service = useService();
  let receiver: WebhookReceiver;
  let api: ApiClient;

  beforeAll(async () => {
    await service.startWorker();
    receiver = await WebhookReceiver.start();
    api = await service.sandbox();
  });
  afterAll(() => receiver.stop());

  async function startedCampaign(): Promise<Schema<'Campaign'>> {
    const given = new Given(api, service.database);
    await api.post('/webhooks', { url: receiver.url('/'), events: EVENTS });
    const account = { smtp_host: 'mail.nowhere.invalid', smtp_port: 587, smtp_username: 'a', smtp_password: 'b' };
    const sender = { from_email: 'sales@sender.example', from_name: 'Sales', daily_limit: 10_000 };
    await api.post('/email-accounts', { name: 'Sales', type: 'smtp', ...account, ...sender });
    const ids: number[] = [];
    for (let index = 0; index < 100; index += 1)
      ids.push((await given.contact({ email: `p${index}${TAGS[index % 10]}@recipient.example` })).id);
    return given.running(ids, {
      steps: STEP_DAYS.map((days) => ({ subject: `Step ${days}`, body: BODY, delay_minutes: days * MINUTES_PER_DAY })),
      ...{ track_opens: true, track_clicks: true, stop_at_bounce_rate: null, stop_at_complaint_rate: null },
    });
  }

  it('runs in seconds: every person gets its messages in order, and every webhook is delivered by that clock', async () => {
    const campaign = await startedCampaign();
    const begun = Date.parse((await api.get('/sandbox/clock')).data.now);
    const to = new Date(begun + 21 * DAY_SECONDS * 1000).toISOString();
    let clock = (await api.post('/sandbox/clock', { to })).data;
    await eventually(async () => {
      if (!clock.is_settled) clock = (await api.get('/sandbox/clock')).data;
      expect(clock.is_settled).toBe(true);
    });

    const messages: Schema<'Message'>[] = [];
    for (let page = 1; page <= 5; page += 1)
      messages.push(...(await api.get(`/campaigns/${campaign.id}/messages?per_page=100&page=${page}`)).data);
    for (const [index, count] of MESSAGES.entries()) {
      const own = messages.filter(({ email }) => email.startsWith('p') && email.includes(`${index}${TAGS[index]}@`));
      if (count) expect([TAGS[index], own.length]).toEqual([TAGS[index], 10 * count]);
      else expect(own.length).toBeGreaterThanOrEqual(20);
    }
    const opened = messages.filter(({ opened_at }) => opened_at);
    expect(opened.length).toBeGreaterThanOrEqual(100);
    for (const { sent_at, opened_at } of opened) {
      const seconds = (Date.parse(opened_at ?? '') - Date.parse(sent_at ?? '')) / 1000;
      expect([seconds >= 59, seconds < 600]).toEqual([true, true]);
    }
    await eventually(() => {
      const sent = receiver.received.filter(({ body }) => body.event === 'email.sent');
      expect(new Set(sent.map(({ body }) => body.data.message_id)).size).toBe(
        messages.filter(({ sent_at }) => sent_at).length,
      );
    });
    const times = receiver.received.map(({ body }) => Date.parse(body.data.occurred_at ?? body.data.sent_at ?? to));
    expect(Math.max(...times)).toBeGreaterThan(begun + 17 * DAY_SECONDS * 1000);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(begun - 60_000);
  });
});
