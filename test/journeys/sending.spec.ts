import { simpleParser } from 'mailparser';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { reportedMail } from '../../packages/mail-reading/test/reported-mail.js';
import { RequestGate } from '../support/request-gate.js';
import { useService } from '../support/service.js';

/** A worker sends over so many connections to one server. */
const MAX_CONNECTIONS = 5;

/** A schedule that is closed for days. */
const closed = () => {
  const day = ((new Date().getUTCDay() + 3) % 7) + 1;
  return { timezone: 'UTC', days: [day], start: '09:00', end: '09:30' };
};

describe('sending', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    // No day ends during a test, on which an account could send again.
    service.clocks.advanceToNoon(api.workspaceId);
  });
  afterEach(() => sink.stop());

  const messages = async (campaign: { id: number }, query = ''): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages?per_page=100${query}`)).data;
  const firstMessage = async (campaign: { id: number }): Promise<Schema<'Message'>> => {
    const [message] = await messages(campaign);
    if (!message) throw new Error(`Campaign ${campaign.id} has no message.`);
    return message;
  };
  const statusOf = async (campaign: { id: number }) => (await api.get(`/campaigns/${campaign.id}`)).data.status;
  const enrollmentOf = async (campaign: { id: number }, contact: { id: number }) =>
    (await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`)).data;
  const completed = (campaign: { id: number }) =>
    eventually(async () => expect(await statusOf(campaign)).toBe('completed'));

  it('sends each rendered step to each contact, the second one as a reply', async () => {
    const account = await given.mailbox(sink);
    const contact = await given.contact({ first_name: 'Zoé', last_name: 'Lefèvre', custom_fields: { city: 'Lyon' } });
    const campaign = await given.running([contact.id], {
      steps: [
        { subject: 'Bonjour {{ first_name }}', body: '<p>{{ first_name }} of {{ city }}, I am {{ sender.name }}</p>' },
        { subject: 'Again', body: '<p>Again <b>you</b></p>', same_thread: true },
      ],
    });
    await completed(campaign);
    expect(sink.to(contact.email)).toHaveLength(2);
    const [first, second] = await Promise.all(sink.to(contact.email).map((mail) => simpleParser(mail.raw)));
    if (!first || !second) throw new Error('Two mails were received.');
    const raw = sink.to(contact.email)[0]?.raw;
    expect(first.subject).toBe('Bonjour Zoé');
    expect(first.html).toContain('<p>Zoé of Lyon, I am Sales</p>');
    expect(first.text).toContain('Zoé of Lyon, I am Sales');
    expect(first.from?.value).toEqual([{ name: 'Sales', address: 'sales@sender.example' }]);
    expect(first.headers.get('list-unsubscribe-post')).toBeUndefined();
    expect(raw).toMatch(/^List-Unsubscribe: <http:\/\/outreach\.test\/u\/[\w-]+>/m);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    expect(first.html).toContain('http://outreach.test/u/');
    expect(second.inReplyTo).toBe(first.messageId);
    expect(second.references).toEqual(first.messageId);
    expect(await enrollmentOf(campaign, contact)).toMatchObject({ status: 'completed' });
    const listed = await messages(campaign);
    expect(listed).toHaveLength(2);
    expect(listed[1]).toMatchObject({
      campaign_id: campaign.id,
      contact_id: contact.id,
      email_account_id: account.id,
      subject: 'Bonjour Zoé',
      status: 'sent',
      message_id: sink.to(contact.email)[0]?.message_id,
      attempts: 1,
      reason: null,
      sent_at: expect.stringMatching(/Z$/),
    });
    const stats = (await api.get(`/campaigns/${campaign.id}/stats`)).data;
    expect(stats.enrollments).toEqual({ pending: 0, in_progress: 0, completed: 1, failed: 0, unsubscribed: 0 });
    expect(stats.messages).toMatchObject({ sent: 1, queued: 0, bounced: 0, open_rate: 0 });
    expect(stats.steps.map((step: Schema<'CampaignStats'>['steps'][number]) => [step.position, step.sent])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect((await api.get(`/email-accounts/${account.id}/stats`)).data).toMatchObject({ sent_today: 2, total_sent: 2 });
  });

  it('fails a message that is too long, and sends the others', async () => {
    const account = await given.mailbox(sink);
    const long = await given.contact({ custom_fields: { story: 'x'.repeat(5_000) } });
    const short = await given.contact({ custom_fields: { story: 'x' } });
    const campaign = await given.running([long.id, short.id], {
      steps: [{ subject: 'Story', body: '{{ story }}'.repeat(300) }],
    });
    await completed(campaign);
    expect([sink.to(long.email), sink.to(short.email)]).toEqual([[], [expect.anything()]]);
    expect(await messages(campaign, '&status=failed')).toMatchObject([
      { contact_id: long.id, attempts: 0, reason: expect.stringContaining('longer than 1048576 characters') },
    ]);
    expect(await enrollmentOf(campaign, long)).toMatchObject({ status: 'failed' });
    expect((await api.get(`/email-accounts/${account.id}/stats`)).data).toMatchObject({ sent_today: 1 });
  });

  it('fails the messages of a step that was stored before steps had limits, and shows why', async () => {
    await given.mailbox(sink);
    const { id } = await given.contact();
    const campaign = await given.campaign();
    await service.database.query(`UPDATE campaign_steps SET body = repeat('{{a}}', 200000) WHERE campaign_id = $1`, [
      campaign.id,
    ]);
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [id] });
    await api.post(`/campaigns/${campaign.id}/start`);
    await completed(campaign);
    expect(await messages(campaign, '&status=failed')).toMatchObject([
      { reason: expect.stringContaining('at most 256 KB') },
    ]);
  });

  it('respects the daily limit of each account, and shows why the other messages wait', async () => {
    const small = await given.mailbox(sink, { daily_limit: 3 });
    const large = await given.mailbox(sink, { from_email: 'large@sender.example' });
    const campaign = await given.running(await given.contacts(20), { email_account_ids: [small.id, large.id] });
    await eventually(async () => {
      const all = await messages(campaign);
      const waiting = all.filter((message) => message.status === 'queued');
      expect(all.filter((message) => message.status === 'sent').length).toBe(sink.mails.length);
      expect(sink.mails.length + waiting.length).toBe(20);
      expect(
        waiting.every((message) => message.reason === 'daily_limit' && message.email_account_id === small.id),
      ).toBe(true);
    });
    expect(sink.mails.filter((mail) => mail.from === 'sales@sender.example').length).toBeLessThanOrEqual(3);
    await api.put(`/email-accounts/${small.id}`, { daily_limit: 100 });
    await completed(campaign);
    expect(sink.mails.length).toBe(20);
  });

  it.each([
    ['its account waits between messages', { min_seconds_between: 3_600 }, {}, 'min_seconds_between'],
    ['a variable is missing', {}, { required_variables: ['phone'] }, 'missing_variable'],
  ])('sends no message of a deleted campaign that waited because %s', async (_, account, step, reason) => {
    const { id } = await given.mailbox(sink, account);
    const ids = await given.contacts(3);
    const content = { subject: 'Hello', body: '<p>Hello</p>' };
    const campaign = await given.running(ids, {
      steps: [
        { ...content, ...step },
        { ...content, delay_minutes: 60 },
      ],
    });
    const waiting = () => service.database.query('SELECT 1 FROM queued_messages WHERE email_account_id = $1', [id]);
    const sent = 'min_seconds_between' in account ? 1 : 0;
    await eventually(async () => {
      expect(sink.mails).toHaveLength(sent);
      expect((await messages(campaign, '&status=queued')).map((message) => message.reason)).toEqual(
        Array(3 - sent).fill(reason),
      );
    });
    expect((await api.post(`/campaigns/${campaign.id}/pause`)).status).toBe(200);
    expect((await api.delete(`/campaigns/${campaign.id}`)).status).toBe(204);
    expect(await waiting()).toEqual([]);
    expect((await api.put(`/email-accounts/${id}`, { min_seconds_between: 0 })).status).toBe(200);
    const [first] = ids;
    await completed(await given.running([Number(first)], { steps: [content] }));
    expect(sink.mails).toHaveLength(sent + 1);
  });

  it('updates contact, enrollment, message and blacklist if the address is dead', async () => {
    await given.mailbox(sink);
    sink.misbehave({ at: 'rcpt', matches: /dead/, refuse: [550, '5.1.1 No such user'] });
    const dead = await given.contact({ email: `dead${Date.now()}@example.com` });
    const campaign = await given.running([dead.id]);
    await completed(campaign);
    expect((await api.get(`/contacts/${dead.id}`)).data.status).toBe('bounced');
    expect(await enrollmentOf(campaign, dead)).toMatchObject({ status: 'failed' });
    const message = await firstMessage(campaign);
    expect(message).toMatchObject({ status: 'bounced', bounced_at: expect.any(String) });
    expect(message.reason).toContain('5.1.1');
    expect((await api.post('/blacklist/check', { email: dead.email })).data).toMatchObject({
      is_blacklisted: true,
      reason: 'bounce',
    });
  });

  it('does not change the contact if the server refuses the content', async () => {
    await given.mailbox(sink);
    sink.misbehave({ at: 'reply', refuse: [554, '5.7.1 Looks like spam'] });
    const contact = await given.contact();
    const campaign = await given.running([contact.id]);
    await completed(campaign);
    expect((await api.get(`/contacts/${contact.id}`)).data.status).toBe('active');
    expect(await enrollmentOf(campaign, contact)).toMatchObject({ status: 'failed' });
    expect((await messages(campaign))[0]).toMatchObject({ status: 'failed' });
  });

  it('retries after a temporary refusal, and shows the reason until then', async () => {
    await given.mailbox(sink);
    sink.misbehave({ at: 'rcpt', refuse: [451, '4.3.0 Try later'], times: 1 });
    const contact = await given.contact();
    const campaign = await given.running([contact.id]);
    const message = await eventually(async () => {
      const first = await firstMessage(campaign);
      expect(first).toMatchObject({ status: 'queued', reason: 'temporary_failure', attempts: 1 });
      return first;
    });
    await service.database.query('UPDATE queued_messages SET next_attempt_at = now() WHERE id = $1', [message.id]);
    await completed(campaign);
    expect((await messages(campaign))[0]).toMatchObject({ status: 'sent', attempts: 2 });
  });

  it('sends nothing outside the schedule', async () => {
    await given.mailbox(sink);
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { schedule: closed() });
    await eventually(async () =>
      expect((await messages(campaign))[0]).toMatchObject({ status: 'queued', reason: 'outside_schedule' }),
    );
    await api.put(`/campaigns/${campaign.id}`, { schedule: null });
    await completed(campaign);
  });

  it('makes an account with wrong credentials inactive, and sends when these are corrected', async () => {
    const account = await given.mailbox(sink, { smtp_password: 'wrong' });
    const contact = await given.contact();
    const campaign = await given.running([contact.id]);
    await eventually(async () =>
      expect((await messages(campaign))[0]).toMatchObject({ status: 'queued', reason: 'account_inactive' }),
    );
    expect((await api.get(`/email-accounts/${account.id}`)).data.is_active).toBe(false);
    await api.put(`/email-accounts/${account.id}`, { ...sink.account, is_active: true });
    await completed(campaign);
  });

  it('cancels messages to an address that any workspace has blacklisted', async () => {
    await given.mailbox(sink);
    const contact = await given.contact();
    await (await service.client()).post('/blacklist', { email: contact.email });
    const campaign = await given.running([contact.id]);
    await completed(campaign);
    expect(sink.mails).toHaveLength(0);
    expect((await messages(campaign))[0]).toMatchObject({ status: 'cancelled', reason: 'blacklisted' });
    expect(await enrollmentOf(campaign, contact)).toMatchObject({ status: 'failed' });
  });

  it('stops when the campaign is paused, and loses nothing when it is started again', async () => {
    await given.mailbox(sink);
    const gate = new RequestGate(10);
    sink.misbehave({ at: 'rcpt', wait: gate.pass });
    const campaign = await given.running(await given.contacts(60));
    await eventually(() => {
      expect(sink.mails).toHaveLength(10);
      expect(gate.waiting).toBeGreaterThan(0);
    });
    expect((await api.post(`/campaigns/${campaign.id}/pause`)).status).toBe(200);
    gate.open();
    await eventually(async () => {
      const waiting = await service.database.query(
        `SELECT 1 FROM queued_messages WHERE campaign_id = $1 AND reason IS DISTINCT FROM 'paused'`,
        [campaign.id],
      );
      expect(waiting).toEqual([]);
    });
    // Only what was at the server before the pause.
    expect(sink.mails.length).toBeLessThanOrEqual(10 + MAX_CONNECTIONS);
    await api.post(`/campaigns/${campaign.id}/start`);
    await completed(campaign);
    expect(new Set(sink.mails.map((mail) => mail.message_id)).size).toBe(60);
    expect(sink.mails).toHaveLength(60);
  });

  it('sends each message once when the campaign is paused and started several times', async () => {
    await given.mailbox(sink);
    sink.misbehave({ at: 'rcpt', wait: () => new Promise((resolve) => setTimeout(resolve, 10)) });
    const campaign = await given.running(await given.contacts(150, 'again'));
    for (let round = 0; round < 5; round++) {
      await eventually(() => expect(sink.mails.length).toBeGreaterThan(round * 20));
      await api.post(`/campaigns/${campaign.id}/pause`);
      await api.post(`/campaigns/${campaign.id}/start`);
    }
    await completed(campaign);
    expect(sink.mails).toHaveLength(150);
    expect(new Set(sink.mails.map((mail) => mail.message_id)).size).toBe(150);
  });

  it('does not send a message with unknown result again until a user retries it, with on_unknown hold', async () => {
    await given.mailbox(sink);
    sink.misbehave({ at: 'reply', drop: true, times: 1 });
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { on_unknown: 'hold' });
    const message = await eventually(async () => {
      const first = await firstMessage(campaign);
      expect(first).toMatchObject({ status: 'unknown' });
      return first;
    });
    expect((await api.post(`/campaigns/${campaign.id}/messages/${message.id}/retry`)).status).toBe(200);
    await completed(campaign);
    expect(sink.mails.map((mail) => mail.message_id)).toEqual([message.message_id, message.message_id]);
    expect((await api.post(`/campaigns/${campaign.id}/messages/${message.id}/retry`)).status).toBe(409);
  });

  it('sends a message with unknown result again under the same Message-ID, with on_unknown resend', async () => {
    await given.mailbox(sink);
    sink.misbehave({ at: 'reply', drop: true, times: 1 });
    const contact = await given.contact();
    const campaign = await given.running([contact.id]);
    await eventually(async () =>
      expect(await firstMessage(campaign)).toMatchObject({ status: 'queued', reason: 'temporary_failure' }),
    );
    await service.database.query('UPDATE queued_messages SET next_attempt_at = now() WHERE campaign_id = $1', [
      campaign.id,
    ]);
    await completed(campaign);
    expect(sink.mails).toHaveLength(2);
    expect(new Set(sink.mails.map((mail) => mail.message_id)).size).toBe(1);
  });

  it('sends from an account that is added after the only one of the campaign was deleted', async () => {
    const other = await given.mailbox(sink, { from_email: 'default@sender.example' });
    const gone = await given.mailbox(sink, { from_email: 'gone@sender.example', is_active: false });
    const contact = await given.contact();
    // Nothing is sent from the account before it is deleted.
    const campaign = await given.campaign({ email_account_ids: [gone.id], schedule: closed() });
    await api.put(`/email-accounts/${gone.id}`, { is_active: true });
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] });
    await api.post(`/campaigns/${campaign.id}/start`);
    await api.put(`/email-accounts/${gone.id}`, { is_active: false });
    await api.delete(`/email-accounts/${gone.id}`);
    expect(await statusOf(campaign)).toBe('paused');
    await api.put(`/campaigns/${campaign.id}`, { email_account_ids: [other.id], schedule: null });
    await api.post(`/campaigns/${campaign.id}/start`);
    await completed(campaign);
    expect(sink.to(contact.email)).toHaveLength(1);
  });

  it('sends no further step to contacts who have replied or whose address is dead', async () => {
    await given.mailbox(sink);
    const [replier, dead, silent] = [await given.contact(), await given.contact(), await given.contact()];
    const campaign = await given.running([replier.id, dead.id, silent.id], {
      steps: [
        { subject: 'First', body: 'First' },
        { subject: 'Second', body: 'Second', delay_minutes: 60 },
      ],
    });
    await eventually(async () => expect(await messages(campaign, '&status=sent')).toHaveLength(3));
    const { mail_url: url } = (await api.get('/inbound')).data;
    const receive = async (sample: string, { email }: { email: string }): Promise<void> => {
      const about = { message_id: String(sink.to(email)[0]?.message_id), address: email };
      const headers = { 'content-type': 'message/rfc822' };
      const body = reportedMail(sample, about).toString();
      const { status } = await fetch(service.url + new URL(url).pathname, { method: 'POST', headers, body });
      expect(status).toBe(200);
    };
    await receive('reply', replier);
    await receive('postfix-dead', dead);
    service.clocks.advance(api.workspaceId, { hours: 1 });
    await completed(campaign);
    expect([replier, dead, silent].map(({ email }) => sink.to(email).length)).toEqual([1, 1, 2]);
    const ends = await Promise.all([replier, dead, silent].map((contact) => enrollmentOf(campaign, contact)));
    expect(ends.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
  });
});
