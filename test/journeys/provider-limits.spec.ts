import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

describe('sending through an account that has reached a limit of its provider', () => {
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
  });
  afterEach(() => sink.stop());

  const messages = async (campaign: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages?per_page=100`)).data;
  const waitUntilAll = (campaign: { id: number }, expected: object) =>
    eventually(async () => {
      const all = await messages(campaign);
      expect(all).toEqual(all.map(() => expect.objectContaining(expected)));
      expect(all.length).toBeGreaterThan(0);
    });
  const secondsToWait = async (account: { id: number }): Promise<number> => {
    const [row] = await service.database.query<{ seconds: number }>(
      'SELECT extract(epoch FROM limited_until - now())::float8 AS seconds FROM email_accounts WHERE id = $1',
      [account.id],
    );
    return Number(row?.seconds);
  };
  const endWait = async (account: { id: number }): Promise<void> => {
    await service.database.query('UPDATE email_accounts SET limited_until = now() WHERE id = $1', [account.id]);
    await service.database.query('UPDATE queued_messages SET next_attempt_at = now() WHERE email_account_id = $1', [
      account.id,
    ]);
  };

  it('postpones all messages of the account for an hour or more after one daily limit, without counting an attempt', async () => {
    const account = await given.mailbox(sink);
    sink.misbehave({ at: 'mail', refuse: [550, '5.4.5 Daily user sending limit exceeded'] });
    const contacts = await given.contacts(20, 'limit');
    const campaign = await given.running(contacts, { email_account_ids: [account.id] });
    await waitUntilAll(campaign, { status: 'queued', reason: 'provider_limit', attempts: 0 });
    expect(await secondsToWait(account)).toBeGreaterThan(3_000);
    expect(await secondsToWait(account)).toBeLessThan(5_400);
    const limited = (await api.get(`/email-accounts/${account.id}`)).data;
    expect(limited).toMatchObject({ is_active: true, sent_today: 0, limited_until: expect.any(String) });
    expect(new Date(limited.limited_until) > new Date()).toBe(true);
    expect((await api.get(`/contacts/${contacts[0]}`)).data.status).toBe('active');
    // One attempt at most for each connection of the run.
    expect(sink.logins.length).toBeLessThanOrEqual(5);
    sink.behave();
    await endWait(account);
    expect((await api.get(`/email-accounts/${account.id}`)).data.limited_until).toBeNull();
    await waitUntilAll(campaign, { status: 'sent', reason: null, attempts: 1 });
  });

  it.each([1, 2, 4])(
    'sends everything at its first attempt through a server that takes %i sessions',
    async (sessions) => {
      const small = await MailSink.start({ maxClients: sessions });
      const account = await given.mailbox(small);
      const campaign = await given.running(await given.contacts(30, `sessions-${sessions}`), {
        email_account_ids: [account.id],
      });
      await waitUntilAll(campaign, { status: 'sent', reason: null, attempts: 1 });
      expect(small.mails).toHaveLength(30);
      await small.stop();
    },
  );

  it('does not try the messages that become due while the account waits', async () => {
    const account = await given.mailbox(sink);
    sink.misbehave({ at: 'mail', refuse: [550, '5.4.5 Daily sending quota exceeded'] });
    await waitUntilAll(await given.running(await given.contacts(1, 'first')), { reason: 'provider_limit' });
    const { connections } = sink;
    await service.database.query('UPDATE queued_messages SET next_attempt_at = now() WHERE email_account_id = $1', [
      account.id,
    ]);
    const [second] = await given.contacts(1, 'second');
    const other = await given.running([Number(second)]);
    await waitUntilAll(other, { status: 'queued', reason: 'provider_limit', attempts: 0 });
    expect(sink.connections).toBe(connections);
  });

  it('waits longer when the limit is reached again right after a wait', async () => {
    const account = await given.mailbox(sink);
    sink.misbehave({ at: 'mail', refuse: [550, '5.4.5 Daily sending quota exceeded'] });
    await service.database.query(
      'UPDATE email_accounts SET limited_until = now(), limited_seconds = 60 WHERE id = $1',
      [account.id],
    );
    const campaign = await given.running(await given.contacts(1, 'again'));
    await waitUntilAll(campaign, { reason: 'provider_limit' });
    expect(await secondsToWait(account)).toBeGreaterThan(3_000);
  });

  const REFUSED_MAIL = [450, '4.7.1 Error: too much mail from 192.0.2.1'] as const;

  it('postpones all messages of the account when any relay refuses MAIL for the time being, each time for longer', async () => {
    const account = await given.mailbox(sink);
    sink.misbehave({ at: 'mail', refuse: REFUSED_MAIL });
    const campaign = await given.running(await given.contacts(10, 'relay'), { email_account_ids: [account.id] });
    const pauses: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await waitUntilAll(campaign, { status: 'queued', reason: 'provider_limit', attempts: 0 });
      pauses.push(await secondsToWait(account));
      await endWait(account);
      await eventually(async () => expect(await secondsToWait(account)).toBeGreaterThan(0));
    }
    await waitUntilAll(campaign, { status: 'queued', reason: 'provider_limit', attempts: 0 });
    expect(pauses[0]).toBeLessThan(181);
    expect(pauses[1]).toBeGreaterThan(230);
  });

  it('waits as briefly as at first when the relay has accepted messages after the wait', async () => {
    const account = await given.mailbox(sink);
    sink.misbehave({ at: 'mail', times: 1, refuse: REFUSED_MAIL });
    const campaign = await given.running(await given.contacts(1, 'first'), { email_account_ids: [account.id] });
    await waitUntilAll(campaign, { reason: 'provider_limit' });
    await endWait(account);
    await waitUntilAll(campaign, { status: 'sent', attempts: 1 });
    sink.misbehave({ at: 'mail', refuse: REFUSED_MAIL });
    await waitUntilAll(await given.running(await given.contacts(1, 'second')), { reason: 'provider_limit' });
    expect(await secondsToWait(account)).toBeLessThan(181);
  });

  it('takes several recipients in a row that a relay defers for a limit, and counts none of their attempts', async () => {
    const account = await given.mailbox(sink);
    sink.misbehave({ at: 'rcpt', refuse: [450, '4.7.1 Error: too many recipients from 192.0.2.1'] });
    const campaign = await given.running(await given.contacts(10, 'row'), { email_account_ids: [account.id] });
    await waitUntilAll(campaign, { status: 'queued', reason: 'provider_limit', attempts: 0 });
    sink.behave();
    await endWait(account);
    await waitUntilAll(campaign, { status: 'sent', attempts: 1 });
  });

  it('takes recipients that are greylisted for temporary failures, however many there are', async () => {
    const account = await given.mailbox(sink);
    sink.misbehave({ at: 'rcpt', refuse: [450, '4.7.1 Recipient address rejected: Greylisted'] });
    const campaign = await given.running(await given.contacts(8, 'grey'), { email_account_ids: [account.id] });
    await waitUntilAll(campaign, { status: 'queued', reason: 'temporary_failure', attempts: 1 });
  });

  it('sends over the connections that it gets from a relay that allows few', async () => {
    const account = await given.mailbox(sink);
    sink.misbehave({ at: 'connect', times: 4, refuse: [421, '4.7.0 Error: too many connections from 192.0.2.1'] });
    const campaign = await given.running(await given.contacts(10, 'few'), { email_account_ids: [account.id] });
    await waitUntilAll(campaign, { status: 'sent', attempts: 1 });
  });

  it('retries one message only when a server that is not Google or Microsoft refuses with 4.7.1', async () => {
    const account = await given.mailbox(sink);
    sink.misbehave({ at: 'rcpt', times: 1, refuse: [451, '4.7.1 Greylisted, try again later'] });
    const campaign = await given.running(await given.contacts(5, 'grey'), { email_account_ids: [account.id] });
    await eventually(async () => {
      const all = await messages(campaign);
      expect(all.map(({ reason, status }) => reason ?? status).sort()).toEqual([
        ...Array.from({ length: 4 }, () => 'sent'),
        'temporary_failure',
      ]);
    });
  });

  it('leaves a contact active when the server refuses the sender', async () => {
    await given.mailbox(sink);
    sink.misbehave({ at: 'reply', refuse: [550, '5.1.8 Access denied, bad outbound sender'] });
    const [contact] = await given.contacts(1, 'sender');
    const campaign = await given.running([Number(contact)]);
    await waitUntilAll(campaign, { status: 'failed', reason: expect.stringContaining('bad outbound sender') });
    expect((await api.get(`/contacts/${contact}`)).data.status).toBe('active');
  });
});
