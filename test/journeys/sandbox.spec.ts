import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';

/** Nothing listens there, and its name does not exist: a connection would fail. */
const NOWHERE = { smtp_host: 'mail.nowhere.invalid', smtp_port: 587, smtp_username: 'ann', smtp_password: 'secret' };
const BODY =
  '<p>Hello, <a href="https://acme.example/offer">an offer</a> and <a href="https://acme.example/more">more</a></p>';
const STEPS = [
  { subject: 'Grüße {{ first_name }}', body: BODY },
  { subject: 'Again', body: '<p>Again</p>', delay_minutes: 3 * 24 * 60 },
];

const TAGGED = [
  ...['bounced', 'soft', 'rejected', 'complained', 'delivered', 'opened', 'clicked', 'bot', 'replied', 'ooo'],
  ...['unsubscribed', 'unknown', 'delivered+opened+clicked', 'nothing'],
] as const;
type Tags = (typeof TAGGED)[number];

const EVENTS = ['sent', 'delivered', 'bounced', 'complained', 'opened', 'clicked', 'replied'].map(
  (name) => `email.${name}`,
);

const addressOf = (tags: string): string => `anna+${tags}@recipient.example`;

describe('a sandbox workspace', () => {
  trustReceivers();
  const service = useService();
  let api: ApiClient;
  let receiver: WebhookReceiver;
  let campaign: Schema<'Campaign'>;
  const contacts = new Map<string, Schema<'Contact'>>();

  const contactOf = (tags: Tags): Schema<'Contact'> => {
    const contact = contacts.get(tags);
    if (!contact) throw new Error(`There is no contact with the tags ${tags}.`);
    return contact;
  };
  const messageOf = async (tags: Tags): Promise<Schema<'Message'>> => {
    const { data } = await api.get(`/campaigns/${campaign.id}/messages?per_page=100`);
    return data.find((message: Schema<'Message'>) => message.email === addressOf(tags));
  };
  const statusOf = async (tags: Tags): Promise<string> =>
    (await api.get(`/contacts/${contactOf(tags).id}`)).data.status;
  const enrollmentOf = async (tags: Tags): Promise<string> =>
    (await api.get(`/campaigns/${campaign.id}/contacts/${contactOf(tags).id}`)).data.status;
  const activityOf = async (tags: Tags): Promise<string[]> =>
    (await api.get(`/contacts/${contactOf(tags).id}/activity?per_page=100`)).data.map(
      (entry: { type: string }) => entry.type,
    );
  const waiting = async (): Promise<number> => {
    const [row] = await service.database.query<{ count: string }>('SELECT count(*) FROM sandbox_reactions');
    return Number(row?.count);
  };
  const undecided = async (): Promise<number> => {
    const [row] = await service.database.query<{ count: string }>(
      `SELECT count(*) FROM tracking_events WHERE classification = 'undecided'`,
    );
    return Number(row?.count);
  };
  /** Sorted by name, because deliveries arrive in any order. */
  const eventsOf = (tags: Tags): string[] =>
    receiver.received
      .filter(({ body }) => body.data.email === addressOf(tags))
      .map(({ body }) => body.event)
      .sort();

  beforeAll(async () => {
    await service.startWorker();
    receiver = await WebhookReceiver.start();
    api = await service.sandbox();
    await api.post('/webhooks', { url: receiver.url('/'), events: EVENTS });
    const given = new Given(api, service.database);
    await api.post('/email-accounts', {
      ...NOWHERE,
      name: 'Sales',
      type: 'smtp',
      from_email: 'sales@sender.example',
      from_name: 'Sales',
    });
    for (const tags of TAGGED) contacts.set(tags, await given.contact({ email: addressOf(tags), first_name: 'Anna' }));
    const ids = [...contacts.values()].map(({ id }) => id);
    campaign = await given.running(ids, {
      steps: STEPS,
      track_opens: true,
      track_clicks: true,
      on_unknown: 'hold',
      stop_at_bounce_rate: null,
      stop_at_complaint_rate: null,
    });
    await eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/messages?per_page=100`);
      const open = data.filter(({ status }: Schema<'Message'>) => status === 'queued' || status === 'sending');
      expect([data.length, open.length]).toEqual([TAGGED.length, 0]);
    });
    service.clocks.advance(api.workspaceId, { minutes: 10 });
    await eventually(async () => expect(await waiting()).toBe(0));
    service.clocks.advance(api.workspaceId, { minutes: 1 });
    await eventually(async () => expect(await undecided()).toBe(0));
  });
  afterAll(() => receiver.stop());

  it('accepts a message without a tag, after which nothing follows', async () => {
    expect(await messageOf('nothing')).toMatchObject({ status: 'sent', opened_at: null, clicked_at: null });
    expect([await statusOf('nothing'), await enrollmentOf('nothing')]).toEqual(['active', 'in_progress']);
  });

  it('returns a message to bounced: the contact is bounced and the enrollment fails', async () => {
    expect(await messageOf('bounced')).toMatchObject({ status: 'bounced', reason: expect.stringContaining('5.1.1') });
    expect([await statusOf('bounced'), await enrollmentOf('bounced')]).toEqual(['bounced', 'failed']);
    expect((await api.get('/blacklist')).data.map(({ email }: { email: string }) => email)).toContain(
      addressOf('bounced'),
    );
  });

  it('returns a message to soft with 4.2.2, after which the contact stays active', async () => {
    expect(await messageOf('soft')).toMatchObject({ status: 'bounced', reason: expect.stringContaining('4.2.2') });
    expect([await statusOf('soft'), await enrollmentOf('soft')]).toEqual(['active', 'failed']);
  });

  it('refuses a message to rejected with 550 5.7.1 and does not store it', async () => {
    expect(await messageOf('rejected')).toMatchObject({ status: 'failed', reason: expect.stringContaining('5.7.1') });
    expect(await statusOf('rejected')).toBe('active');
    const { data } = await api.get(`/sandbox/messages?to=${encodeURIComponent(addressOf('rejected'))}`);
    expect(data).toEqual([]);
  });

  it('reports a complaint of complained: the contact is complained', async () => {
    expect(await statusOf('complained')).toBe('complained');
    expect((await api.get('/blacklist')).data.map(({ email }: { email: string }) => email)).toContain(
      addressOf('complained'),
    );
  });

  it('reports that a message was delivered', async () => {
    expect(await activityOf('delivered')).toContain('email.delivered');
  });

  it('opens and follows a link as a person', async () => {
    expect(await messageOf('opened')).toMatchObject({ opened_at: expect.any(String), clicked_at: null });
    expect(await messageOf('clicked')).toMatchObject({ clicked_at: expect.any(String) });
    expect(await activityOf('opened')).toContain('email.opened');
  });

  it('does several things in the order of the tags', async () => {
    const { sent_at, opened_at, clicked_at } = await messageOf('delivered+opened+clicked');
    const times = [sent_at, opened_at, clicked_at].map((time) => Date.parse(time ?? ''));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('has scanners whose requests do not count', async () => {
    expect(await messageOf('bot')).toMatchObject({ opened_at: null, clicked_at: null });
    const rows = await service.database.query<{ classification: string; kind: string }>(
      `SELECT kind, classification FROM tracking_events WHERE user_agent LIKE 'Barracuda%' ORDER BY id`,
    );
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['open', 'click']));
    expect(rows.map(({ classification }) => classification)).not.toContain('counted');
  });

  it('answers as a person, which ends the enrollment', async () => {
    const { data } = await api.get(`/replies?contact_id=${contactOf('replied').id}`);
    expect(data).toMatchObject([{ classification: 'reply', is_automatic: false, subject: 'Re: Grüße Anna' }]);
    expect(await enrollmentOf('replied')).toBe('completed');
  });

  it('answers as a mail program whose owner is away for a week', async () => {
    const { data } = await api.get(`/replies?contact_id=${contactOf('ooo').id}`);
    const back = new Date(Date.parse(data[0].received_at) + 7 * 86_400_000).toISOString().slice(0, 10);
    expect(data).toMatchObject([{ classification: 'out_of_office', is_automatic: true, returns_on: back }]);
    expect(await enrollmentOf('ooo')).toBe('in_progress');
  });

  it('unsubscribes with one click', async () => {
    expect([await statusOf('unsubscribed'), await enrollmentOf('unsubscribed')]).toEqual([
      'unsubscribed',
      'unsubscribed',
    ]);
    expect(await activityOf('unsubscribed')).toContain('email.unsubscribed');
  });

  it('closes the connection after a message to unknown, whose result is uncertain', async () => {
    expect(await messageOf('unknown')).toMatchObject({ status: 'unknown' });
  });

  it('delivers its webhooks', async () => {
    const expected: Partial<Record<Tags, string[]>> = {
      nothing: ['email.sent'],
      bounced: ['email.sent', 'email.bounced'],
      soft: ['email.sent', 'email.bounced'],
      rejected: ['email.bounced'],
      complained: ['email.sent', 'email.complained'],
      bot: ['email.sent'],
      replied: ['email.sent', 'email.replied'],
      ooo: ['email.sent', 'email.replied'],
      'delivered+opened+clicked': ['email.sent', 'email.delivered', 'email.opened', 'email.clicked'],
    };
    await eventually(() => {
      for (const tags of TAGGED)
        if (expected[tags]) expect({ [tags]: eventsOf(tags) }).toEqual({ [tags]: expected[tags].sort() });
    });
  });

  it('counts all of it', async () => {
    const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(data.messages).toMatchObject({ bounced: 2, delivered: 2, opened: 3, clicked: 2, complained: 1 });
  });

  it('shows the messages with headers, text, HTML, links and raw MIME', async () => {
    const { data, body } = await api.get(`/sandbox/messages?campaign_id=${campaign.id}&per_page=100`);
    expect(body.meta.total).toBe(TAGGED.length - 1);
    const [listed] = (await api.get(`/sandbox/messages?to=${encodeURIComponent('ANNA+opened@recipient.example')}`))
      .data;
    expect(data).toContainEqual(listed);
    expect(listed).toMatchObject({
      campaign_id: campaign.id,
      contact_id: contactOf('opened').id,
      message_id: (await messageOf('opened')).message_id,
      to: addressOf('opened'),
      from: 'sales@sender.example',
      subject: 'Grüße Anna',
    });
    const { data: message } = await api.get(`/sandbox/messages/${listed.id}`);
    expect(message).toMatchObject({
      ...listed,
      headers: { From: 'Sales <sales@sender.example>', To: addressOf('opened') },
      text: expect.stringContaining('Hello'),
      html: expect.stringContaining('an offer'),
      raw: expect.stringMatching(/^[\s\S]+\r\n\r\n[\s\S]+/),
    });
    expect(message.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(message.links.filter((link: string) => link.includes('/t/c/'))).toHaveLength(3);
    expect(message.links.some((link: string) => link.includes('/u/'))).toBe(true);
    expect(message.size).toBe(message.raw.length);
  });

  it('accepts every login in the test of an account, asks no name server, and reads an empty mailbox', async () => {
    const { data: account } = await api.post('/email-accounts', {
      ...NOWHERE,
      ...{ imap_host: 'imap.nowhere.invalid', imap_port: 993, imap_username: 'ann', imap_password: 'secret' },
      ...{ name: 'Support', type: 'smtp', from_email: 'support@sender.example', from_name: 'Support' },
    });
    const { data: tested } = await api.post(`/email-accounts/${account.id}/test`);
    expect(tested).toMatchObject({ success: true, message: expect.stringContaining('sandbox') });
    const { data: domain } = await api.get(`/email-accounts/${account.id}/domain`);
    expect(domain).toMatchObject({ mx: { status: 'unknown', message: expect.stringContaining('sandbox') } });
  });

  it('sends a test of a step to the simulated mail server', async () => {
    const step = (await api.get(`/campaigns/${campaign.id}/steps`)).data[0];
    const path = `/campaigns/${campaign.id}/steps/${step.id}/test-send`;
    const { data } = await api.post(path, { to: 'me+opened@sender.example' });
    expect(data).toMatchObject({ success: true });
    const listed = await api.get(`/sandbox/messages?to=${encodeURIComponent('me+opened@sender.example')}`);
    expect(listed.data).toMatchObject([{ message_id: data.message_id, campaign_id: null }]);
    expect((await api.post(path, { to: 'me+rejected@sender.example' })).data).toMatchObject({
      success: false,
      message: expect.stringContaining('5.7.1'),
    });
  });

  it('blocks no other workspace with its blacklist, and other workspaces block it', async () => {
    const other = await service.client();
    const check = async (client: ApiClient, email: string) =>
      (await client.post('/blacklist/check', { email })).data.is_blacklisted;
    expect([await check(api, addressOf('bounced')), await check(other, addressOf('bounced'))]).toEqual([true, false]);
    await api.post('/blacklist', { email: 'mine@recipient.example' });
    await other.post('/blacklist', { email: 'theirs@recipient.example' });
    expect([await check(other, 'mine@recipient.example'), await check(api, 'theirs@recipient.example')]).toEqual([
      false,
      true,
    ]);
  });

  it('is the only kind of workspace in which /sandbox exists', async () => {
    const other = await service.client();
    expect((await other.get('/sandbox/messages')).status).toBe(404);
    expect((await other.get('/sandbox/messages/1')).status).toBe(404);
    const another = await service.sandbox();
    const [mine] = (await api.get('/sandbox/messages')).data;
    expect((await another.get(`/sandbox/messages/${mine.id}`)).status).toBe(404);
    expect((await another.get('/sandbox/messages')).data).toEqual([]);
  });
});
