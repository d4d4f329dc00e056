import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { Mailroom, rawReply } from '../support/replies.js';
import { reportedMail } from '../../packages/mail-reading/test/reported-mail.js';
import { useService } from '../support/service.js';
import { WebhookFixture } from '../support/webhook-fixture.js';
import { trustReceivers } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;
const STEPS = [
  { subject: 'Hello {{ first_name }}', body: '<p>Hello {{ first_name }}</p>' },
  { subject: 'Again', body: '<p>Again</p>', delay_minutes: 60 },
];

/** All days of a test are counted from one instant, because midnight may pass during it. */
const BEGIN = Date.now();
const dayIn = (days: number): string => new Date(BEGIN + days * DAY_MS).toISOString().slice(0, 10);

/** Returns a field of the header, unfolded. */
const field = ({ raw }: ReceivedMail, name: string): string | undefined =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replace(/\r\n/g, '');

describe('replies to a campaign', () => {
  trustReceivers();
  const service = useService();
  let sink: MailSink;
  let fixture: WebhookFixture;
  let api: ApiClient;
  let mailroom: Mailroom;
  let account: Schema<'EmailAccount'>;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    fixture = await WebhookFixture.start(service);
    api = fixture.api;
    mailroom = new Mailroom(service, api, fixture.given);
    account = await fixture.given.mailbox(sink);
  });
  afterEach(async () => {
    await fixture.clear();
    await sink.stop();
  });

  const messagesOf = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages`)).data;
  const statusOf = async (campaign: { id: number }, contact: { id: number }): Promise<string> =>
    (await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`)).data.status;

  /** A campaign of two steps that has sent the first one to a contact. */
  async function firstSent(fields: object = {}) {
    const contact = await fixture.given.contact({ first_name: 'Ada' });
    const campaign = await fixture.given.running([contact.id], { steps: STEPS, ...fields });
    await eventually(async () => expect(await statusOf(campaign, contact)).toBe('in_progress'));
    const [first] = sink.to(contact.email);
    if (!first?.message_id) throw new Error('The first message has no Message-ID.');
    return { contact, campaign, message_id: first.message_id, reply: { to: first.message_id, from: contact.email } };
  }
  type Sent = Awaited<ReturnType<typeof firstSent>>;

  /** An out-of-office notice of the contact. */
  async function away({ campaign }: Sent, returnsOn: string): Promise<void> {
    const [message] = (await messagesOf(campaign)).slice(-1);
    await mailroom.record(message?.id ?? 0, { classification: 'out_of_office', returns_on: returnsOn });
  }
  const pass = (duration: { days?: number; hours?: number; minutes?: number }): void =>
    service.clocks.advance(api.workspaceId, duration);
  const waiting = async (campaign: { id: number }, until: string): Promise<void> =>
    eventually(async () => {
      const [message] = await messagesOf(campaign);
      expect(message).toMatchObject({ status: 'queued', reason: 'out_of_office' });
      const [row] = await service.database.query<{ next_attempt_at: Date }>(
        'SELECT next_attempt_at FROM queued_messages WHERE id = $1',
        [message?.id],
      );
      expect(row?.next_attempt_at.toISOString()).toBe(until);
    });

  it('are listed, sent to webhooks, and answered in the same thread', async () => {
    const hook = await fixture.subscribe(['email.replied']);
    const sent = await firstSent();
    const raw = { ...sent.reply, subject: 'RE: Hello Ada', message_id: 'their-reply@example.com' };
    await mailroom.receive(rawReply(raw));
    const [event] = await fixture.received(hook, 1);
    const [reply] = (await api.get('/replies')).data;
    expect(event.body).toMatchObject({
      event: 'email.replied',
      data: {
        message_id: sent.message_id,
        campaign_id: sent.campaign.id,
        contact_id: sent.contact.id,
        email: sent.contact.email,
        email_account_id: account.id,
        subject: 'Hello Ada',
        step_id: expect.any(Number),
        occurred_at: reply.received_at,
        reply: { id: reply.id, classification: 'reply', is_automatic: false, text: 'Yes, call me on Monday.' },
      },
    });
    await eventually(async () => expect(await statusOf(sent.campaign, sent.contact)).toBe('completed'));

    const body = '<p>Monday at nine, {{ first_name }}? <a href="https://acme.example/map">Map</a></p>';
    const answer = await api.post(`/replies/${reply.id}/answer`, { body });
    expect(answer.status).toBe(202);
    await eventually(() => expect(sink.to(sent.contact.email)).toHaveLength(2));
    const mail = sink.to(sent.contact.email)[1];
    if (!mail) throw new Error('The answer was not received.');
    expect(field(mail, 'Subject')).toBe('Re: Hello Ada');
    expect(field(mail, 'In-Reply-To')).toBe('<their-reply@example.com>');
    expect(field(mail, 'References')).toBe(`<${sent.message_id}> <their-reply@example.com>`);
    expect(field(mail, 'List-Unsubscribe')).toBeUndefined();
    expect(mail.raw).toContain('https://acme.example/map');
    expect(mail.raw).toContain('{{ first_name }}');
    expect(mail.raw).not.toMatch(/outreach\.test|Unsubscribe/);

    const stats = (await api.get(`/campaigns/${sent.campaign.id}/stats`)).data.messages;
    expect(stats).toMatchObject({ sent: 1, replied: 1, queued: 0 });
    await eventually(async () =>
      expect((await messagesOf(sent.campaign))[0]).toMatchObject({ status: 'sent', step_id: null }),
    );
    expect((await api.get(`/email-accounts/${account.id}/stats`)).data).toMatchObject({ sent_today: 2, total_sent: 2 });
  });

  it('are matched to the answers, and bounces of these, too', async () => {
    const sent = await firstSent();
    const first = await mailroom.replied(sent.reply);
    await api.post(`/replies/${first.id}/answer`, { body: '<p>When?</p>' });
    await eventually(async () => expect((await messagesOf(sent.campaign))[0]).toMatchObject({ status: 'sent' }));
    const [answer] = await messagesOf(sent.campaign);
    expect(answer?.message_id).toMatch(/@sender\.example$/);
    const second = await mailroom.replied({ ...sent.reply, to: String(answer?.message_id) });
    expect(second).toMatchObject({ message_id: answer?.message_id, contact_id: sent.contact.id });
    expect((await messagesOf(sent.campaign))[0]?.replied_at).toEqual(expect.any(String));
    const about = { message_id: String(answer?.message_id), address: sent.contact.email };
    expect(await mailroom.receive(reportedMail('postfix-dead', about).toString())).toEqual({ matched: 1 });
    expect((await messagesOf(sent.campaign))[0]).toMatchObject({ status: 'bounced' });
    expect((await api.get(`/contacts/${sent.contact.id}`)).data.status).toBe('bounced');
    expect(await statusOf(sent.campaign, sent.contact)).toBe('completed');
  });

  it('do not change the enrollment when they are answered while it runs', async () => {
    const sent = await firstSent({ stop_on_reply: false });
    const reply = await mailroom.replied(sent.reply);
    sink.misbehave({ at: 'rcpt', refuse: [554, '5.7.1 Refused'], times: 1 });
    await api.post(`/replies/${reply.id}/answer`, { body: '<p>Refused</p>' });
    await eventually(async () => expect((await messagesOf(sent.campaign))[0]).toMatchObject({ status: 'failed' }));
    expect(await statusOf(sent.campaign, sent.contact)).toBe('in_progress');
    await api.post(`/campaigns/${sent.campaign.id}/pause`);
    await api.post(`/replies/${reply.id}/answer`, { body: '<p>Accepted</p>' });
    await eventually(async () => expect((await messagesOf(sent.campaign))[0]).toMatchObject({ status: 'sent' }));
    expect(await statusOf(sent.campaign, sent.contact)).toBe('in_progress');
    expect((await api.post(`/campaigns/${sent.campaign.id}/messages/retry`, { status: 'failed' })).data).toEqual({
      count: 1,
    });
    await eventually(() => expect(sink.to(sent.contact.email)).toHaveLength(3));
    await api.post(`/campaigns/${sent.campaign.id}/start`);
    pass({ minutes: 61 });
    await eventually(async () => expect(await statusOf(sent.campaign, sent.contact)).toBe('completed'));
    expect(sink.to(sent.contact.email)).toHaveLength(4);
  });

  it('are answered once more, with the same content, if an uncertain answer is retried', async () => {
    const sent = await firstSent({ on_unknown: 'hold', stop_on_reply: false });
    const reply = await mailroom.replied(sent.reply);
    sink.misbehave({ at: 'reply', drop: true, times: 1 });
    const { data: answer } = await api.post(`/replies/${reply.id}/answer`, { body: '<p>Only once</p>' });
    await eventually(async () => expect((await messagesOf(sent.campaign))[0]).toMatchObject({ status: 'unknown' }));
    expect(await statusOf(sent.campaign, sent.contact)).toBe('in_progress');
    expect((await api.post(`/campaigns/${sent.campaign.id}/messages/${answer.id}/retry`)).status).toBe(200);
    await eventually(async () => expect((await messagesOf(sent.campaign))[0]).toMatchObject({ status: 'sent' }));
    const [, first, second] = sink.to(sent.contact.email);
    expect(second?.message_id).toBe(first?.message_id);
    expect(second?.raw).toContain('Only once');
  });

  it('are not answered if the address bounced, or the contact has unsubscribed, before it is sent', async () => {
    const [one, two] = [await firstSent({ stop_on_reply: false }), await firstSent({ stop_on_reply: false })];
    const first = await mailroom.replied({ ...one.reply, from: 'assistant@other.example' });
    const second = await mailroom.replied(two.reply);
    await api.put(`/email-accounts/${account.id}`, { is_active: false });
    await api.post(`/replies/${first.id}/answer`, { body: '<p>Yes</p>' });
    await api.post(`/replies/${second.id}/answer`, { body: '<p>Yes</p>' });
    await (await service.client()).post('/blacklist', { email: 'assistant@other.example' });
    await api.post(`/contacts/${two.contact.id}/unsubscribe`);
    await api.put(`/email-accounts/${account.id}`, { is_active: true });
    await eventually(async () => {
      expect((await messagesOf(one.campaign))[0]).toMatchObject({ status: 'cancelled', reason: 'blacklisted' });
      expect((await messagesOf(two.campaign))[0]).toMatchObject({ status: 'cancelled', reason: 'unsubscribed' });
    });
    expect(await statusOf(one.campaign, one.contact)).toBe('in_progress');
    expect(sink.mails).toHaveLength(2);
  });

  it('from another address bounce there, and not at the contact', async () => {
    const sent = await firstSent({ stop_on_reply: false });
    const reply = await mailroom.replied({ ...sent.reply, from: 'gone@other.example' });
    sink.misbehave({ at: 'rcpt', matches: /gone@/, refuse: [550, '5.1.1 No such user'] });
    await api.post(`/replies/${reply.id}/answer`, { body: '<p>Yes</p>' });
    await eventually(async () => expect((await messagesOf(sent.campaign))[0]).toMatchObject({ status: 'bounced' }));
    expect((await api.get(`/contacts/${sent.contact.id}`)).data.status).toBe('active');
    expect(await statusOf(sent.campaign, sent.contact)).toBe('in_progress');
  });

  it('that name the day of the return as people write it are read, and end nothing', async () => {
    const sent = await firstSent();
    const day = new Date(`${dayIn(12)}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    const notice = {
      ...sent.reply,
      subject: 'Automatic reply: Hello Ada',
      header: ['Auto-Submitted: auto-replied'],
      text: `I am out of the office and will be back on ${day}.`,
    };
    const reply = await mailroom.replied(notice);
    expect(reply).toMatchObject({ classification: 'out_of_office', is_automatic: true, returns_on: dayIn(12) });
    expect(await statusOf(sent.campaign, sent.contact)).toBe('in_progress');
    pass({ minutes: 61 });
    await waiting(sent.campaign, `${dayIn(13)}T00:00:00.000Z`);
  });

  it('that say who is away postpone what becomes due later, until the day after the return', async () => {
    const sent = await firstSent();
    await away(sent, dayIn(10));
    pass({ minutes: 61 });
    await waiting(sent.campaign, `${dayIn(11)}T00:00:00.000Z`);
    expect(await statusOf(sent.campaign, sent.contact)).toBe('in_progress');
    pass({ days: 11 });
    await eventually(async () => expect(await statusOf(sent.campaign, sent.contact)).toBe('completed'));
    expect(sink.to(sent.contact.email)).toHaveLength(2);
  });

  it('postpone what is queued, in all campaigns, and a later reply of the person ends that', async () => {
    const sent = await firstSent();
    const later = await fixture.given.campaign({ steps: STEPS, email_account_ids: [account.id] });
    await api.put(`/email-accounts/${account.id}`, { is_active: false });
    await api.post(`/campaigns/${later.id}/contacts`, { contact_ids: [sent.contact.id] });
    await service.database.query(`UPDATE campaigns SET status = 'active' WHERE id = $1`, [later.id]);
    await eventually(async () => expect(await messagesOf(later)).toMatchObject([{ reason: 'account_inactive' }]));
    await away(sent, dayIn(200));
    await api.put(`/email-accounts/${account.id}`, { is_active: true });
    await eventually(async () => expect(await messagesOf(later)).toMatchObject([{ reason: 'out_of_office' }]));
    const [row] = await service.database.query<{ days: number }>(
      `SELECT extract(epoch FROM next_attempt_at - now()) / 86400 AS days FROM queued_messages WHERE campaign_id = $1`,
      [later.id],
    );
    expect(Number(row?.days)).toBeGreaterThan(59.9);
    expect(Number(row?.days)).toBeLessThanOrEqual(60);
    const sooner = dayIn(3);
    await away(sent, sooner);
    await waiting(later, `${dayIn(4)}T00:00:00.000Z`);
    await mailroom.receive(rawReply(sent.reply));
    await eventually(async () => expect(await statusOf(later, sent.contact)).toBe('in_progress'));
    expect(await statusOf(sent.campaign, sent.contact)).toBe('completed');
  });

  it('postpone the contacts that are enrolled while they are away, to the start of the window in its zone', async () => {
    const sent = await firstSent();
    await away(sent, dayIn(5));
    const schedule = { timezone: 'Asia/Tokyo', days: [1, 2, 3, 4, 5, 6, 7], start: '09:00', end: '23:59' };
    const other = await fixture.given.running([sent.contact.id], { steps: STEPS, schedule });
    await waiting(other, `${dayIn(6)}T00:00:00.000Z`);
  });
});
