import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';
import { WebhookFixture } from '../support/webhook-fixture.js';

const DAY_MS = 86_400_000;
const DELAY_MINUTES = 3 * 24 * 60;
const STEPS = [
  { subject: 'First', body: '<p>First</p>' },
  { subject: 'Second', body: '<p>Second</p>', delay_minutes: DELAY_MINUTES },
];

const daysFromNow = (time: string): number => Math.round((Date.parse(time) - Date.now()) / DAY_MS) + 0;

describe('a workspace whose clock is put forward', () => {
  trustReceivers();
  const service = useService();
  const sinks: MailSink[] = [];

  beforeAll(async () => {
    await service.startWorker();
  });
  afterEach(() => Promise.all(sinks.splice(0).map((sink) => sink.stop())));

  /** A workspace with a campaign of two steps that has sent the first one. */
  const started = async () => {
    const sink = await MailSink.start();
    sinks.push(sink);
    const api = await service.client();
    const given = new Given(api, service.database);
    await given.mailbox(sink);
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { steps: STEPS });
    const enrollment = async () => (await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`)).data;
    await eventually(async () => {
      expect(sink.mails).toHaveLength(1);
      expect(await enrollment()).toMatchObject({ status: 'in_progress' });
    });
    return { api, sink, enrollment, campaign: async () => (await api.get(`/campaigns/${campaign.id}`)).data };
  };

  it('sends the step whose delay has passed, and another workspace does not', async () => {
    const [own, other] = [await started(), await started()];
    service.clocks.advance(own.api.workspaceId, { days: 3 });
    await eventually(async () => expect(await own.campaign()).toMatchObject({ status: 'completed' }));
    expect(own.sink.mails).toHaveLength(2);
    expect(daysFromNow((await own.campaign()).completed_at)).toBe(3);
    expect(daysFromNow((await own.enrollment()).updated_at)).toBe(3);
    expect(other.sink.mails).toHaveLength(1);
    expect(await other.campaign()).toMatchObject({ status: 'active', completed_at: null });
    expect(await other.enrollment()).toMatchObject({ status: 'in_progress' });
  });

  it('sends on its next day what its daily limit has postponed, and counts it on that day', async () => {
    const sink = await MailSink.start();
    sinks.push(sink);
    const api = await service.client();
    service.clocks.advanceToNoon(api.workspaceId);
    const given = new Given(api, service.database);
    const { id } = await given.mailbox(sink, { daily_limit: 1 });
    const contacts = [await given.contact(), await given.contact()];
    const campaign = await given.running(
      contacts.map((contact) => contact.id),
      { steps: [{ subject: 'First', body: '<p>First</p>' }] },
    );
    const messages = async () => (await api.get(`/campaigns/${campaign.id}/messages`)).data as { reason: string }[];
    await eventually(async () => expect((await messages()).map(({ reason }) => reason)).toContain('daily_limit'));
    await eventually(() => expect(sink.mails).toHaveLength(1));
    const stats = async () => (await api.get(`/email-accounts/${id}/stats`)).data as object;
    service.clocks.advance(api.workspaceId, { days: 1 });
    await eventually(() => expect(sink.mails).toHaveLength(2));
    // One on each day.
    await eventually(async () => expect(await stats()).toMatchObject({ sent_today: 1, total_sent: 2 }));
    const ids = (await api.get('/email-accounts?sort=sent_today')).data as { id: number; sent_today: number }[];
    expect(ids).toMatchObject([{ id, sent_today: 1 }]);
    service.clocks.advance(api.workspaceId, { days: 1 });
    expect(await stats()).toMatchObject({ sent_today: 0, total_sent: 2 });
  });

  it('shows its time in what is created and updated then', async () => {
    const api: ApiClient = await service.client();
    const { data: tag } = await api.post('/tags', { name: 'Early' });
    service.clocks.advance(api.workspaceId, { days: 40 });
    const { data: updated } = await api.put(`/tags/${tag.id}`, { name: 'Late' });
    expect([updated.created_at, updated.updated_at].map(daysFromNow)).toEqual([0, 40]);
    const contact = await new Given(api, service.database).contact({ tags: [tag.id] });
    expect(
      [contact.created_at, contact.updated_at, contact.subscribed_at].map((time) => daysFromNow(String(time))),
    ).toEqual([40, 40, 40]);
  });

  it('lists the logs of its last 30 days, and retries deliveries by its clock', async () => {
    const fixture = await WebhookFixture.start(service);
    service.clocks.advanceToNoon(fixture.api.workspaceId);
    try {
      const hook = await fixture.subscribe();
      fixture.receiver.replyOnce({ status: 500 });
      await fixture.given.contact();
      await fixture.logged(hook, 1);
      service.clocks.advance(fixture.api.workspaceId, { minutes: 1 });
      await fixture.received(hook, 2);
      await fixture.logged(hook, 2);
      service.clocks.advance(fixture.api.workspaceId, { days: 29 });
      await fixture.logged(hook, 2);
      service.clocks.advance(fixture.api.workspaceId, { days: 2 });
      await fixture.logged(hook, 0);
    } finally {
      await fixture.clear();
    }
  });
});
