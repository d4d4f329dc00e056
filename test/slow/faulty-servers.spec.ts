import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { FaultyMailServer, type ServerBehaviour } from '../support/faulty-mail-server.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const RETRIES = 5;

describe('sending through a faulty mail server', () => {
  const service = useService();
  let faulty: FaultyMailServer;
  let healthy: MailSink;
  let api: ApiClient;
  let given: Given;
  let account: Schema<'EmailAccount'>;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    healthy = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    // The daily limit counts what is sent in the whole of a test.
    service.clocks.advanceToNoon(api.workspaceId);
  });
  afterEach(() => Promise.all([faulty.stop(), healthy.stop()]));

  /** A campaign with one contact, whose server behaves like this. */
  async function sendThrough(behaviour: ServerBehaviour, fields: object = {}): Promise<Schema<'Campaign'>> {
    faulty = await FaultyMailServer.start(behaviour);
    account = await given.mailbox(healthy, { from_email: 'faulty@sender.example', ...faulty.account });
    const { id } = await given.contact();
    return given.running([id], { email_account_ids: [account.id], ...fields });
  }
  const messagesOf = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages`)).data;
  const messageOf = async (campaign: { id: number }) => (await messagesOf(campaign))[0];
  const copies = (): number => [...faulty.copies.values()].reduce((sum, count) => sum + count, 0);
  const becomes = (campaign: { id: number }, expected: object) =>
    eventually(async () => expect(await messageOf(campaign)).toMatchObject(expected));
  const retryNow = async ({ id }: { id: number }) => {
    const [message] = await service.database.query<{ wait: number }>(
      `SELECT extract(epoch FROM next_attempt_at - $2::timestamptz)::float AS wait FROM queued_messages WHERE campaign_id = $1`,
      [id, service.clocks.clockOf(api.workspaceId).now()],
    );
    await service.database.query('UPDATE queued_messages SET next_attempt_at = now() WHERE campaign_id = $1', [id]);
    return Number(message?.wait);
  };
  const sentToday = async () => (await api.get(`/email-accounts/${account.id}`)).data.sent_today;

  const uncertain: [string, ServerBehaviour][] = [
    ['closes the connection after the final dot', { closesAfter: 'end' }],
    ['replies to the final dot with something else than a reply', { replies: { end: 'well, well\r\n' } }],
    ['replies to the final dot with an intermediate reply', { replies: { end: '354 more\r\n' } }],
  ];

  it.each(uncertain)('sends a message twice at most if the server %s', async (_behaviour, behaviour) => {
    const campaign = await sendThrough(behaviour);
    await becomes(campaign, { status: 'queued', reason: 'temporary_failure', attempts: 1 });
    expect(await retryNow(campaign)).toBeGreaterThan(30);
    await becomes(campaign, { status: 'unknown', attempts: 2 });
    expect(copies()).toBe(2);
    expect(await sentToday()).toBe(2);
    const message = await messageOf(campaign);
    await api.post(`/campaigns/${campaign.id}/messages/${message?.id}/retry`);
    await becomes(campaign, { status: 'unknown', attempts: 3 });
    expect(copies()).toBe(3);
    expect(await sentToday()).toBe(3);
  });

  it('sends a message once if the server closes the connection after the final dot, with on_unknown hold', async () => {
    const campaign = await sendThrough({ closesAfter: 'end' }, { on_unknown: 'hold' });
    await becomes(campaign, { status: 'unknown', attempts: 1 });
    expect(copies()).toBe(1);
    faulty.behaviour = {};
    const retried = await api.post(`/campaigns/${campaign.id}/messages/retry`, { status: 'unknown' });
    expect(retried).toMatchObject({ status: 202, body: { data: { count: 1 } } });
    await becomes(campaign, { status: 'sent', attempts: 2 });
  });

  it('fails a message that the server refuses after an uncertain attempt, with a reason that says so', async () => {
    const campaign = await sendThrough({ closesAfter: 'end' });
    await becomes(campaign, { status: 'queued', reason: 'temporary_failure', attempts: 1 });
    faulty.behaviour = { replies: { mail: '550 5.7.1 Not from you\r\n' } };
    await retryNow(campaign);
    await becomes(campaign, {
      status: 'failed',
      attempts: 2,
      reason: expect.stringMatching(/^550 5\.7\.1 Not from you \(.*a copy may have arrived\.\)$/),
    });
    expect(await sentToday()).toBe(1);
  });

  it('counts a copy that a server has not acknowledged towards the daily limit of the account', async () => {
    faulty = await FaultyMailServer.start({ closesAfter: 'end' });
    account = await given.mailbox(healthy, { ...faulty.account, daily_limit: 3 });
    const campaign = await given.running(await given.contacts(10, 'limited'), { email_account_ids: [account.id] });
    const waitingFor = async (reason: string): Promise<number> =>
      (await messagesOf(campaign)).filter((message) => message.reason === reason).length;
    await eventually(async () =>
      expect([await waitingFor('temporary_failure'), await waitingFor('daily_limit')]).toEqual([3, 7]),
    );
    await retryNow(campaign);
    await eventually(async () => expect(await waitingFor('daily_limit')).toBe(10));
    expect(copies()).toBe(3);
  });

  it('retries later, and fails in the end, if the server always closes the connection during the content', async () => {
    const campaign = await sendThrough({ closesAfter: 'content' });
    for (let attempt = 1; attempt <= RETRIES; attempt++) {
      await becomes(campaign, { status: 'queued', reason: 'temporary_failure', attempts: attempt });
      expect(await retryNow(campaign)).toBeGreaterThan(30);
    }
    await becomes(campaign, { status: 'failed', attempts: RETRIES + 1 });
    expect(faulty.transmissions).toBe(RETRIES + 1);
    expect(copies()).toBe(0);
    faulty.behaviour = {};
    const retried = await api.post(`/campaigns/${campaign.id}/messages/retry`, { status: 'failed' });
    expect(retried).toMatchObject({ status: 202, body: { data: { count: 1 } } });
    await api.post(`/campaigns/${campaign.id}/start`);
    await becomes(campaign, { status: 'sent', attempts: 1 });
  });

  const stages = ['greeting', 'ehlo', 'mail', 'rcpt', 'data', 'end'] as const;

  it.each(stages)('retries after a pause if the server closes the channel with 421 (%s)', async (stage) => {
    const campaign = await sendThrough({ replies: { [stage]: '421 4.3.2 Closing\r\n' } });
    await becomes(campaign, { status: 'queued', reason: 'temporary_failure', attempts: 1 });
    faulty.behaviour = {};
    expect(await retryNow(campaign)).toBeGreaterThan(4 * 60);
    await becomes(campaign, { status: 'sent', attempts: 2 });
    expect(await sentToday()).toBe(1);
  });

  it('sends each message once if the server replies to each message twice', async () => {
    faulty = await FaultyMailServer.start({ replies: { end: '250 accepted\r\n250 accepted\r\n' } });
    account = await given.mailbox(healthy, faulty.account);
    const campaign = await given.running(await given.contacts(20, 'twice'), { email_account_ids: [account.id] });
    await eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));
    expect(faulty.copies.size).toBe(20);
    expect(copies()).toBe(20);
  });

  it('sends through a server that writes byte by byte', async () => {
    const campaign = await sendThrough({ byteMs: 0 });
    await becomes(campaign, { status: 'sent', attempts: 1 });
    expect(copies()).toBe(1);
  });

  it('renews the lease while a server is silent after the final dot, and sends from other accounts meanwhile', async () => {
    const silent = await sendThrough({ replies: { end: '' } });
    await eventually(() => expect(copies()).toBe(1));
    await service.database.query(
      `UPDATE queued_messages SET lease_until = now() + interval '1 second' WHERE campaign_id = $1`,
      [silent.id],
    );
    const other = new Given(await service.client(), service.database);
    for (const each of [given, other]) {
      const { id } = await each.mailbox(healthy, { from_email: 'healthy@sender.example' });
      await each.running(await each.contacts(10, 'beside'), { email_account_ids: [id] });
    }
    await eventually(() => expect(healthy.mails).toHaveLength(20));
    await eventually(async () =>
      expect(
        await service.database.query(
          `SELECT status FROM queued_messages WHERE campaign_id = $1 AND lease_until > now() + interval '5 seconds'`,
          [silent.id],
        ),
      ).toEqual([{ status: 'sending' }]),
    );
    faulty.hangUp();
    await becomes(silent, { status: 'queued', reason: 'temporary_failure', attempts: 1 });
    expect(copies()).toBe(1);
  });
});
