import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { reportedMail } from '../../packages/mail-reading/test/reported-mail.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const HOUR_MINUTES = 60;

describe('a campaign that protects itself', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let second: ServiceProcess;
  let mailPath: string;

  beforeAll(async () => {
    await service.startWorker();
    second = await ServiceProcess.startApi(service);
  });
  afterAll(() => second.stop());
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
    await api.post('/webhooks', { url: 'https://receiver.example/', events: ['campaign.paused', 'contact.updated'] });
    mailPath = new URL((await api.get('/inbound')).data.mail_url).pathname;
  });
  afterEach(() => sink.stop());

  type Message = Schema<'Message'>;
  /** Stays active after its first step was sent. */
  const steps = [
    { subject: 'Hello', body: '<p>Hello</p>' },
    { subject: 'Again', body: '<p>Again</p>', delay_minutes: HOUR_MINUTES },
  ];
  const seen = async ({ id }: { id: number }): Promise<Schema<'Campaign'>> => (await api.get(`/campaigns/${id}`)).data;
  const countsOf = async ({ id }: { id: number }) => (await api.get(`/campaigns/${id}/stats`)).data.messages;
  const messagesOf = async ({ id }: { id: number }, status: string): Promise<Message[]> => {
    const pages = [1, 2, 3, 4].map((page) =>
      api.get(`/campaigns/${id}/messages?per_page=100&page=${page}&status=${status}`),
    );
    return (await Promise.all(pages)).flatMap(({ data }) => data);
  };
  /** The events that were written for the webhook. */
  const eventsNamed = async (event: string): Promise<{ data: Record<string, unknown> }[]> => {
    const rows = await service.database.query<{ payload: { data: Record<string, unknown> } }>(
      'SELECT payload FROM webhook_events WHERE workspace_id = $1 AND event = $2',
      [api.workspaceId, event],
    );
    return rows.map(({ payload }) => payload);
  };

  /** No workspace writes to an address that has bounced in another one. */
  const contacts = (count: number, prefix = 'c') => given.contacts(count, `${prefix}-${api.workspaceId}-`);

  /** A campaign that has sent its first step to so many contacts. */
  async function sentTo(count: number, fields: object = {}) {
    const campaign = await given.running(await contacts(count), { steps, ...fields });
    await eventually(async () => expect((await countsOf(campaign)).sent).toBe(count));
    return { campaign, messages: await messagesOf(campaign, 'sent') };
  }

  async function report(sample: string, message: Message | undefined, origin = service.url) {
    if (!message?.message_id) throw new Error('The message was not sent.');
    const raw = reportedMail(sample, { message_id: message.message_id, address: message.email });
    const response = await fetch(origin + mailPath, {
      method: 'POST',
      body: raw,
      headers: { 'content-type': 'message/rfc822' },
    });
    expect(response.status).toBe(200);
  }

  it('pauses at the first bounce over its rate, with an event that says why, and counts anew after a start', async () => {
    const { campaign, messages } = await sentTo(50);
    for (const message of messages.slice(0, 5)) await report('postfix-dead', message);
    expect(await seen(campaign)).toMatchObject({ status: 'active', pause_reason: null });
    await report('postfix-dead', messages[5]);
    const paused = await seen(campaign);
    expect(paused).toMatchObject({ status: 'paused', pause_reason: 'bounce_rate', paused_at: expect.any(String) });
    expect((await eventsNamed('campaign.paused')).map(({ data }) => data)).toEqual([paused]);
    await api.post(`/campaigns/${campaign.id}/start`);
    // These were sent before the start.
    for (const message of messages.slice(6, 20)) await report('postfix-dead', message);
    expect(await seen(campaign)).toMatchObject({ status: 'active', pause_reason: null });
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: await contacts(50, 'more') });
    await eventually(async () => expect((await countsOf(campaign)).sent).toBe(100));
    const [first, ...others] = (await messagesOf(campaign, 'sent')).filter(({ email }) => email.startsWith('more'));
    for (const message of others.slice(0, 5)) await report('postfix-dead', message);
    expect((await seen(campaign)).status).toBe('active');
    await report('postfix-dead', first);
    expect(await seen(campaign)).toMatchObject({ status: 'paused', pause_reason: 'bounce_rate' });
    expect(await eventsNamed('campaign.paused')).toHaveLength(2);
  });

  it('pauses once if many messages bounce at the same time in two processes', async () => {
    const { campaign, messages } = await sentTo(60);
    const origins = [service.url, second.url];
    await Promise.all(messages.slice(0, 30).map((message, index) => report('exim-dead', message, origins[index % 2])));
    expect(await seen(campaign)).toMatchObject({ status: 'paused', pause_reason: 'bounce_rate' });
    expect(await eventsNamed('campaign.paused')).toHaveLength(1);
    expect((await countsOf(campaign)).bounced).toBe(30);
  });

  it('counts exactly if the bounces that its rate allows come at the same time in two processes', async () => {
    const { campaign, messages } = await sentTo(60);
    const origins = [service.url, second.url];
    await Promise.all(messages.slice(0, 6).map((message, index) => report('exim-dead', message, origins[index % 2])));
    expect((await seen(campaign)).status).toBe('active');
    await report('exim-dead', messages[6]);
    expect((await seen(campaign)).status).toBe('paused');
  });

  it('pauses when the 50th message is sent if refusals at the door are over the rate then', async () => {
    sink.misbehave({ at: 'rcpt', matches: /dead/, refuse: [550, '5.1.1 No such user'] });
    const { id } = await given.running([...(await contacts(8, 'dead')), ...(await contacts(1, 'first'))], { steps });
    await eventually(async () => expect(await countsOf({ id })).toMatchObject({ bounced: 8, sent: 1 }));
    await api.post(`/campaigns/${id}/contacts`, { contact_ids: await contacts(40) });
    await eventually(async () => expect((await countsOf({ id })).sent).toBe(41));
    expect((await seen({ id })).status).toBe('active');
    await api.post(`/campaigns/${id}/contacts`, { contact_ids: await contacts(1, 'last') });
    await eventually(async () =>
      expect(await seen({ id })).toMatchObject({ status: 'paused', pause_reason: 'bounce_rate' }),
    );
    expect(await eventsNamed('campaign.paused')).toHaveLength(1);
  });

  it('pauses at complaints from the 300th sent message on', async () => {
    const { campaign, messages } = await sentTo(299);
    await report('complaint', messages[0]);
    expect((await seen(campaign)).status).toBe('active');
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: await contacts(1, 'last') });
    await eventually(async () =>
      expect(await seen(campaign)).toMatchObject({ status: 'paused', pause_reason: 'complaint_rate' }),
    );
  });

  it('does not pause without rates, and pauses at once when a rate is lowered; soft bounces count, too', async () => {
    const { campaign, messages } = await sentTo(50, { stop_at_bounce_rate: null });
    for (const message of messages.slice(0, 10)) await report('postfix-dead', message);
    for (const message of messages.slice(10, 20)) await report('gmail-full', message);
    expect((await seen(campaign)).status).toBe('active');
    expect(await countsOf(campaign)).toMatchObject({ sent: 50, bounced: 20, failed: 0, bounce_rate: 0.4 });
    // 20 of 50 is not over 0.4.
    const allowed = await api.put(`/campaigns/${campaign.id}`, { stop_at_bounce_rate: 0.4 });
    expect(allowed.data).toMatchObject({ status: 'active', stop_at_bounce_rate: 0.4 });
    const lowered = await api.put(`/campaigns/${campaign.id}`, { stop_at_bounce_rate: 0.39 });
    expect(lowered.data).toMatchObject({ status: 'paused', pause_reason: 'bounce_rate' });
    expect(await eventsNamed('campaign.paused')).toHaveLength(1);
  });

  describe('five soft bounces in a row', () => {
    const statusOf = async ({ id }: { id: number }): Promise<string> => (await api.get(`/contacts/${id}`)).data.status;

    /** The messages that several campaigns have sent to a contact. */
    async function sentToContact(contact: { id: number }, campaigns: number): Promise<Message[]> {
      const sent: Message[] = [];
      for (let n = 0; n < campaigns; n++) {
        const campaign = await given.running([contact.id], { steps });
        await eventually(async () => expect((await countsOf(campaign)).sent).toBe(1));
        sent.push(...(await messagesOf(campaign, 'sent')));
      }
      return sent;
    }

    it('make a contact bounced, across campaigns, without an entry in the blacklist', async () => {
      const contact = await given.contact();
      const messages = await sentToContact(contact, 5);
      const samples = ['gmail-full', 'postfix-expired', 'exchange-full', 'gmail-full'];
      for (const [index, sample] of samples.entries()) await report(sample, messages[index]);
      // A refusal of the content is no soft bounce, and a report that is repeated counts once.
      await report('gmail-full', messages[3]);
      expect(await statusOf(contact)).toBe('active');
      await report('postfix-expired', messages[4]);
      expect(await statusOf(contact)).toBe('bounced');
      expect((await api.post('/blacklist/check', { email: contact.email })).data.is_blacklisted).toBe(false);
      expect((await eventsNamed('contact.updated')).map(({ data }) => data)).toMatchObject([
        { id: contact.id, status: 'bounced' },
      ]);
    });

    it('are counted exactly if they are reported at the same time in two processes', async () => {
      const contact = await given.contact();
      const messages = await sentToContact(contact, 5);
      const origins = [service.url, second.url];
      await Promise.all(messages.map((message, index) => report('gmail-full', message, origins[index % 2])));
      expect(await statusOf(contact)).toBe('bounced');
      expect(await eventsNamed('contact.updated')).toHaveLength(1);
    });

    it('do not count if one of the last five was refused for its content, or arrived', async () => {
      const [refused, delivered] = [await given.contact(), await given.contact()];
      for (const [contact, sample] of [
        [refused, 'postfix-content'],
        [delivered, 'postfix-delivered'],
      ] as const) {
        const messages = await sentToContact(contact, 6);
        for (const message of messages.slice(0, 4)) await report('gmail-full', message);
        await report(sample, messages[4]);
        await report('gmail-full', messages[5]);
        expect(await statusOf(contact)).toBe('active');
      }
    });

    it('do not count if the contact opens a message between them', async () => {
      const contact = await given.contact();
      const [opened, ...messages] = await sentToContact(contact, 6);
      for (const message of messages.slice(0, 3)) await report('gmail-full', message);
      await service.database.query('UPDATE messages SET opened_at = now() WHERE id = $1', [opened?.id]);
      for (const message of messages.slice(3)) await report('gmail-full', message);
      expect(await statusOf(contact)).toBe('active');
    });

    it('do not count those of an address that the contact had before', async () => {
      const contact = await given.contact();
      const messages = await sentToContact(contact, 5);
      for (const message of messages.slice(0, 4)) await report('gmail-full', message);
      await api.put(`/contacts/${contact.id}`, { email: `new.${contact.email}` });
      await report('gmail-full', { ...(messages[4] as Message), email: `new.${contact.email}` });
      expect(await statusOf(contact)).toBe('active');
    });

    it('include a message that was given up after its retries', async () => {
      const contact = await given.contact();
      const messages = await sentToContact(contact, 4);
      for (const message of messages) await report('gmail-full', message);
      sink.misbehave({ at: 'rcpt', refuse: [452, '4.2.2 Mailbox full'] });
      const campaign = await given.running([contact.id]);
      await eventually(async () => {
        await service.database.query('UPDATE queued_messages SET next_attempt_at = now() WHERE campaign_id = $1', [
          campaign.id,
        ]);
        expect(await messagesOf(campaign, 'failed')).toHaveLength(1);
      });
      expect(await statusOf(contact)).toBe('bounced');
    });
  });
});
