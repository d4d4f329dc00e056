import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { freePort } from '../support/command-line.js';
import { Dovecot } from '../support/dovecot.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { givenConnectedAccount } from '../support/given-connected-account.js';
import { MailSink } from '../support/mail-sink.js';
import { startService, type TestService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';

const CHECKING = { status: 'sending', reason: 'checking_sent_mail' };

describe('a message whose connection was lost before the reply, of an account that is read', () => {
  trustReceivers();
  let service: TestService;
  let dovecot: Dovecot;
  /** Google's mailboxes are read; the IMAP server of Microsoft is down. */
  let google: MailSink;
  let microsoft: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    dovecot = await Dovecot.start();
    google = await sinkOf('implicit');
    microsoft = await sinkOf('starttls');
    service = await startService({
      GOOGLE_MAIL_HOSTS: `127.0.0.1:${google.port},127.0.0.1:${dovecot.port}`,
      MICROSOFT_MAIL_HOSTS: `127.0.0.1:${microsoft.port},127.0.0.1:${await freePort()}`,
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'secret',
    });
    await service.startWorker();
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([google.stop(), microsoft.stop(), dovecot.stop()]);
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    google.behave();
  });

  const sinkOf = (encryption: 'implicit' | 'starttls') =>
    MailSink.start({ host: '127.0.0.1', port: 0, encryption, users: {}, tokens: { none: 'none' } });

  async function account(provider: 'google' | 'microsoft', name: string): Promise<Schema<'EmailAccount'>> {
    const address = `${name}@mail.example`;
    const access_token = dovecot.accessToken(address);
    (provider === 'google' ? google : microsoft).tokens[address] = access_token;
    return givenConnectedAccount(service, api, { provider, address, access_token });
  }
  const messages = async (campaign: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages?per_page=100`)).data;
  const becomes = (campaign: { id: number }, expected: object) =>
    eventually(async () => expect(await messages(campaign)).toEqual([expect.objectContaining(expected)]));
  /** Moves the instant at which the connections were lost, and that of the next search. */
  const letPass = ({ id }: { id: number }, seconds: number, secondsToSearch = 0) =>
    service.database.query(
      `UPDATE queued_messages SET lease_until = lease_until - make_interval(secs => $2),
         next_attempt_at = now() + make_interval(secs => $3)
       WHERE campaign_id = $1 AND reason = 'checking_sent_mail'`,
      [id, seconds, secondsToSearch],
    );
  /** A search that fails, because the server is busy, is repeated at once, and not after 15 seconds. */
  const isFound = (campaign: { id: number }) =>
    eventually(async () => {
      await letPass(campaign, 0);
      expect(await messages(campaign)).toEqual([
        expect.objectContaining({ status: 'sent', attempts: 1, reason: null, sent_at: expect.any(String) }),
      ]);
    });
  const losesReplies = (sink: MailSink, times: number, before?: () => Promise<unknown>) =>
    sink.misbehave({ at: 'reply', times, drop: true, ...(before ? { wait: before } : {}) });

  it('is sent if the sent mail shows it, and goes out once', async () => {
    const { id, from_email: address } = await account('google', 'found');
    losesReplies(google, 1, () => dovecot.deliver(address, [google.mails.at(-1)?.raw ?? ''], { folder: 'Sent Items' }));
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { email_account_ids: [id], on_unknown: 'hold' });
    await isFound(campaign);
    expect(google.to(contact.email)).toHaveLength(1);
    expect((await api.get(`/email-accounts/${id}`)).data.sent_today).toBe(1);
  });

  it('is looked for in the sent mail of an smtp account with an imap_host', async () => {
    const sink = await MailSink.start();
    const found = () => dovecot.deliver('own', [sink.mails.at(-1)?.raw ?? ''], { folder: 'Sent Items' });
    const account = await given.mailbox(sink, dovecot.account('own'));
    expect(account).toMatchObject({ type: 'smtp', reads_mailbox: true });
    sink.misbehave({ at: 'reply', times: 1, drop: true, wait: found }, { at: 'reply', times: 1, drop: true });
    const fields = { email_account_ids: [account.id], on_unknown: 'hold' };
    const contact = await given.contact();
    const campaign = await given.running([contact.id], fields);
    await isFound(campaign);
    expect(sink.to(contact.email)).toHaveLength(1);
    const missing = await given.running([(await given.contact()).id], fields);
    await becomes(missing, CHECKING);
    await letPass(missing, 61);
    await becomes(missing, { status: 'sent', attempts: 2 });
    await sink.stop();
  });

  it.each([
    ['hold', { status: 'unknown', attempts: 1 }, 1],
    ['resend', { status: 'sent', attempts: 2 }, 2],
  ] as const)(
    'is left to on_unknown (%s) if the mailbox stores no copies of what is sent',
    async (on_unknown, end, copies) => {
      const sink = await MailSink.start();
      const { id } = await given.mailbox(sink, dovecot.account(`copies-${on_unknown}`));
      await becomes(await given.running([(await given.contact()).id], { email_account_ids: [id] }), { status: 'sent' });
      await dovecot.deliver(`copies-${on_unknown}`, ['Subject: Other\r\n\r\nHello\r\n'], { folder: 'Sent Items' });
      losesReplies(sink, 1);
      const contact = await given.contact();
      const campaign = await given.running([contact.id], { email_account_ids: [id], on_unknown });
      await becomes(campaign, { ...CHECKING, attempts: 1 });
      await letPass(campaign, 61);
      await becomes(campaign, end);
      expect(sink.to(contact.email)).toHaveLength(copies);
      await sink.stop();
    },
  );

  it('goes out again at once if the sent mail of a provider that stores what is sent does not show it after a minute', async () => {
    const { id } = await account('google', 'missing');
    losesReplies(google, 1);
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { email_account_ids: [id], on_unknown: 'hold' });
    await becomes(campaign, { ...CHECKING, attempts: 1 });
    await letPass(campaign, 61);
    await becomes(campaign, { status: 'sent', attempts: 2 });
    const copies = google.to(contact.email);
    expect(copies.map((copy) => copy.message_id)).toEqual([copies[0]?.message_id, copies[0]?.message_id]);
    expect((await api.get(`/email-accounts/${id}`)).data.sent_today).toBe(1);
  });

  it('is held the second time that the sent mail does not show it', async () => {
    const { id } = await account('google', 'twice');
    losesReplies(google, 2);
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { email_account_ids: [id] });
    await becomes(campaign, { ...CHECKING, attempts: 1 });
    await letPass(campaign, 61);
    await becomes(campaign, { ...CHECKING, attempts: 2 });
    await letPass(campaign, 61);
    await becomes(campaign, { status: 'unknown', attempts: 2, reason: expect.stringMatching(/sent mail/) });
    expect(google.to(contact.email)).toHaveLength(2);
  });

  it('is left to on_unknown if the mailbox cannot be searched for five minutes', async () => {
    const { id } = await account('microsoft', 'unreadable');
    losesReplies(microsoft, 2);
    const fields = (on_unknown: string) => ({ email_account_ids: [id], on_unknown });
    const onHold = await given.running([(await given.contact()).id], fields('hold'));
    await becomes(onHold, CHECKING);
    const resent = await given.running([(await given.contact()).id], fields('resend'));
    await becomes(resent, CHECKING);
    // The next attempt does not wait for the next search.
    for (const campaign of [onHold, resent]) await letPass(campaign, 301, 30);
    await becomes(onHold, { status: 'unknown', attempts: 1 });
    await becomes(resent, { status: 'sent', attempts: 2 });
  });

  it('is found in the same session as the others of its account, also after its worker has died', async () => {
    const { id, from_email: address } = await account('google', 'died');
    await service.database.query(`UPDATE email_accounts SET limited_until = now() + interval '1 day' WHERE id = $1`, [
      id,
    ]);
    const campaign = await given.running(await given.contacts(20, 'died'), { email_account_ids: [id] });
    await eventually(async () =>
      expect((await messages(campaign)).filter(({ reason }) => reason === 'provider_limit')).toHaveLength(20),
    );
    const ids = (await messages(campaign)).map((message) => message.id);
    const sent = ids.map((each) => `Message-ID: <died.${each}@mail.example>\r\n\r\nHello\r\n`);
    await dovecot.deliver(address, sent, { folder: 'Sent Items' });
    await service.database.query(
      `WITH sending AS (
         UPDATE queued_messages SET status = 'sending', reason = NULL, message_id = 'died.' || id || '@mail.example',
           leased_by = gen_random_uuid(), lease_until = now() - interval '2 minutes', attempts = 1
         WHERE id = ANY($1) RETURNING workspace_id, id)
       INSERT INTO message_claims (workspace_id, claimed_by, message_ids)
       SELECT workspace_id, gen_random_uuid(), array_agg(id) FROM sending GROUP BY 1`,
      [ids],
    );
    await eventually(async () =>
      expect((await messages(campaign)).filter(({ status }) => status === 'sent')).toHaveLength(20),
    );
    expect(google.mails.filter((mail) => mail.from === address)).toEqual([]);
    expect((await dovecot.log()).match(new RegExp(`Login: user=<${address}>`, 'g'))?.length).toBeLessThan(5);
  });

  it('is sent if a report says so while the mailbox cannot be searched', async () => {
    const { id } = await account('microsoft', 'reported');
    losesReplies(microsoft, 1);
    const campaign = await given.running([(await given.contact()).id], { email_account_ids: [id] });
    await becomes(campaign, CHECKING);
    const { mail_url: url } = (await api.get('/inbound')).data;
    const sentMail = microsoft.mails.at(-1);
    const reply = `From: ${sentMail?.to[0]}\r\nTo: x@mail.example\r\nIn-Reply-To: <${sentMail?.message_id}>\r\nMessage-ID: <r@x>\r\n\r\nYes\r\n`;
    const response = await fetch(url.replace('http://outreach.test', service.url), {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: reply,
    });
    expect(response.status).toBe(200);
    await becomes(campaign, { status: 'sent', attempts: 1 });
  });
});
