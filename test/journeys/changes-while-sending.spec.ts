import type { INestApplicationContext } from '@nestjs/common';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { completes, FaultyImapServer } from '../support/faulty-imap-server.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';

const CONTENT = { subject: 'Hello', body: '<p>Hello</p>' };

/** Finds nothing. */
const NOT_FOUND = completes('* SEARCH');
const SEARCHABLE = { LIST: completes('* LIST () "/" INBOX', '* LIST (\\Sent) "/" Sent'), 'UID SEARCH': NOT_FOUND };

describe('what changes while a slow server has a message', () => {
  trustReceivers();
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let account: Schema<'EmailAccount'>;
  let contact: Schema<'Contact'>;
  /** Lets the server reply. */
  let reply: () => void;

  let worker: INestApplicationContext;

  beforeAll(async () => {
    worker = await service.startWorker();
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    // The place of the day is that of the day on which a test began.
    service.clocks.advanceToNoon(api.workspaceId);
    account = await given.mailbox(sink);
    contact = await given.contact();
  });
  afterEach(() => sink.stop());

  const messagesOf = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages`)).data;
  const sentToday = async () => (await api.get(`/email-accounts/${account.id}`)).data.sent_today;
  const statusOf = async () => (await api.get(`/contacts/${contact.id}`)).data.status;
  const isBlacklisted = async (email: string) =>
    (await api.post('/blacklist/check', { email })).data.is_blacklisted as boolean;
  const deleted = async (path: string) => expect((await api.delete(path)).status).toBe(204);
  /** A campaign whose message to the contact is at a server that is going to refuse the recipient. */
  const refusing = async (refuse: readonly [number, string], fields = {}): Promise<Schema<'Campaign'>> => {
    const waiting = new Promise<void>((resolve) => (reply = resolve));
    sink.misbehave({ at: 'rcpt', times: 1, wait: () => waiting, refuse });
    const campaign = await given.running([contact.id], { steps: [CONTENT], ...fields });
    await eventually(async () => expect(await messagesOf(campaign)).toMatchObject([{ status: 'sending' }]));
    return campaign;
  };
  const firstStepOf = async ({ id }: { id: number }) => (await api.get(`/campaigns/${id}/steps`)).data[0];

  it('a message of a deleted step does not go out again after a temporary refusal', async () => {
    const campaign = await refusing([450, '4.3.0 Try later'], {
      steps: [CONTENT, { ...CONTENT, subject: 'Second', delay_minutes: 60 }],
    });
    await deleted(`/campaigns/${campaign.id}/steps/${(await firstStepOf(campaign)).id}`);
    reply();
    await eventually(async () =>
      expect(await messagesOf(campaign)).toMatchObject([{ status: 'cancelled', reason: 'step_deleted' }]),
    );
    expect(await sentToday()).toBe(0);
    await given.running([(await given.contact()).id], { steps: [CONTENT] });
    await eventually(() => expect(sink.mails).toHaveLength(1));
  });

  it('a message that has lost its step in the queue is cancelled, and those behind it are sent', async () => {
    sink.misbehave({ at: 'rcpt', times: 1, refuse: [450, '4.3.0 Try later'] });
    const campaign = await given.running([contact.id], { steps: [CONTENT] });
    await eventually(async () =>
      expect(await messagesOf(campaign)).toMatchObject([{ status: 'queued', reason: 'temporary_failure' }]),
    );
    await service.database.query(
      'UPDATE queued_messages SET step_id = NULL, next_attempt_at = now() WHERE campaign_id = $1',
      [campaign.id],
    );
    await given.running([(await given.contact()).id], { steps: [CONTENT] });
    await eventually(async () => {
      expect(sink.mails).toHaveLength(1);
      expect(await messagesOf(campaign)).toMatchObject([{ status: 'cancelled', reason: 'step_deleted' }]);
    });
    expect(await sentToday()).toBe(1);
  });

  it('a message with unknown result of a deleted step cannot be retried', async () => {
    const campaign = await given.running([contact.id], { steps: [CONTENT] });
    await eventually(() => expect(sink.mails).toHaveLength(1));
    await eventually(async () => expect(await messagesOf(campaign)).toMatchObject([{ status: 'sent' }]));
    await deleted(`/campaigns/${campaign.id}/steps/${(await firstStepOf(campaign)).id}`);
    const [message] = await service.database.query<{ id: number }>(
      `UPDATE messages SET status = 'unknown', sent_at = NULL WHERE campaign_id = $1 RETURNING id::int`,
      [campaign.id],
    );
    const { status, body } = await api.post(`/campaigns/${campaign.id}/messages/${message?.id}/retry`);
    expect([status, body.reason]).toEqual([422, 'step_deleted']);
  });

  it.each(['enrollment', 'campaign'])(
    'an address that is dead is blacklisted although the %s is gone',
    async (what) => {
      const campaign = await refusing([550, '5.1.1 No such user']);
      if (what === 'enrollment') await deleted(`/campaigns/${campaign.id}/contacts/${contact.id}`);
      else {
        await api.post(`/campaigns/${campaign.id}/pause`);
        await deleted(`/campaigns/${campaign.id}`);
      }
      reply();
      await eventually(async () => expect(await statusOf()).toBe('bounced'));
      expect(await isBlacklisted(contact.email)).toBe(true);
      expect(await sentToday()).toBe(0);
    },
  );

  it.each([
    [450, '4.2.0 Try later'],
    [550, '5.1.1 No such user'],
  ])(
    'nothing is stored of a deleted contact that is refused with %i, and its place of the day is free',
    async (...refuse) => {
      await refusing(refuse);
      await deleted(`/contacts/${contact.id}`);
      reply();
      await eventually(async () => expect(await sentToday()).toBe(0));
      expect(await isBlacklisted(contact.email)).toBe(false);
    },
  );

  const LIMIT = [550, '5.4.5 Daily user sending limit exceeded'] as const;

  it('a message that is refused for a limit of the provider goes out from another account if its own is deleted', async () => {
    const campaign = await refusing(LIMIT, { email_account_ids: [account.id] });
    const { id } = await given.mailbox(sink, { from_email: 'other@sender.example' });
    await deleted(`/email-accounts/${account.id}`);
    reply();
    expect((await api.put(`/campaigns/${campaign.id}`, { email_account_ids: [id] })).status).toBe(200);
    expect((await api.post(`/campaigns/${campaign.id}/start`)).status).toBe(200);
    await eventually(() => expect(sink.mails).toMatchObject([{ from: 'other@sender.example' }]));
  });

  it.each(['contact', 'enrollment'])(
    'the place of the day of a message is free that is refused for a limit of the provider if its %s is deleted',
    async (what) => {
      const campaign = await refusing(LIMIT);
      const path = what === 'contact' ? '' : `/campaigns/${campaign.id}`;
      await deleted(`${path}/contacts/${contact.id}`);
      expect(await sentToday()).toBe(1);
      reply();
      await eventually(async () => expect(await sentToday()).toBe(0));
    },
  );

  it('a contact with a corrected address stays active if the old one is dead', async () => {
    await refusing([550, '5.1.1 No such user']);
    const email = `corrected.${contact.email}`;
    expect((await api.put(`/contacts/${contact.id}`, { email })).status).toBe(200);
    reply();
    await eventually(async () => expect(await isBlacklisted(contact.email)).toBe(true));
    expect([await statusOf(), await isBlacklisted(email)]).toEqual(['active', false]);
  });

  it('a contact that unsubscribes gets no second attempt, and nothing waits', async () => {
    const campaign = await refusing([450, '4.2.0 Try later']);
    expect((await api.post(`/contacts/${contact.id}/unsubscribe`)).status).toBe(200);
    reply();
    await eventually(async () =>
      expect(await messagesOf(campaign)).toMatchObject([{ status: 'cancelled', reason: 'unsubscribed' }]),
    );
    expect(await sentToday()).toBe(0);
  });

  it('a campaign that is paused and started does not try again before its time', async () => {
    const campaign = await refusing([450, '4.2.0 Try later']);
    reply();
    const waiting = { status: 'queued', reason: 'temporary_failure', attempts: 1 };
    await eventually(async () => expect(await messagesOf(campaign)).toMatchObject([waiting]));
    for (const action of ['pause', 'start']) {
      expect((await api.post(`/campaigns/${campaign.id}/${action}`)).status).toBe(200);
    }
    await given.running([(await given.contact()).id], { steps: [CONTENT] });
    await eventually(() => expect(sink.mails).toHaveLength(1));
    expect(await messagesOf(campaign)).toMatchObject([waiting]);
    // Its time comes while the campaign is paused.
    await api.post(`/campaigns/${campaign.id}/pause`);
    await service.database.query('UPDATE queued_messages SET next_attempt_at = now() WHERE campaign_id = $1', [
      campaign.id,
    ]);
    await given.running([(await given.contact()).id], { steps: [CONTENT] });
    await eventually(async () => expect(await messagesOf(campaign)).toMatchObject([{ reason: 'paused', attempts: 1 }]));
    await api.post(`/campaigns/${campaign.id}/start`);
    await eventually(async () => expect(await messagesOf(campaign)).toMatchObject([{ status: 'sent' }]));
    await eventually(async () => expect(await sentToday()).toBe(3));
  });

  describe('while the sent mail is searched for an uncertain message', () => {
    let imap: FaultyImapServer;
    /** Lets the server say that the sent mail does not have it. */
    let finish: () => void;

    beforeEach(async () => {
      imap = await FaultyImapServer.start(SEARCHABLE);
      const login = { imap_port: imap.port, imap_username: 'sales', imap_password: 'not used' };
      const { status } = await api.put(`/email-accounts/${account.id}`, {
        ...{ imap_host: '127.0.0.1', imap_encryption: 'ssl' },
        ...login,
      });
      expect(status).toBe(200);
    });
    afterEach(() => imap.stop());

    const searches = () => imap.commands.filter((command) => command.startsWith('UID SEARCH HEADER')).length;
    /** The search decides, because the connection was lost more than a minute ago. */
    const inLastSearch = async (fields = {}): Promise<Schema<'Campaign'>> => {
      sink.misbehave({ at: 'reply', times: 1, drop: true });
      const campaign = await given.running([contact.id], { steps: [CONTENT], ...fields });
      await eventually(() => expect(searches()).toBe(1));
      await eventually(() => expect(imap.open).toBe(0));
      const finished = new Promise<void>((resolve) => (finish = resolve));
      const search = (...reply: Parameters<typeof NOT_FOUND>) => void finished.then(() => NOT_FOUND(...reply));
      imap.behaviour = { ...SEARCHABLE, 'UID SEARCH': search };
      await service.database.query(
        `UPDATE queued_messages SET lease_until = now() - interval '2 minutes', next_attempt_at = now()
         WHERE campaign_id = $1 AND reason = 'checking_sent_mail'`,
        [campaign.id],
      );
      await eventually(() => expect(searches()).toBe(2));
      return campaign;
    };

    it('a message of a deleted account is held as unknown', async () => {
      await given.mailbox(sink, { from_email: 'other@sender.example' });
      const campaign = await inLastSearch({ email_account_ids: [account.id] });
      await deleted(`/email-accounts/${account.id}`);
      finish();
      const reason = expect.stringMatching(/may have accepted/);
      await eventually(async () => expect(await messagesOf(campaign)).toMatchObject([{ status: 'unknown', reason }]));
      expect(sink.mails).toHaveLength(1);
    });

    it('a message of a deleted step is cancelled instead of sent again', async () => {
      const campaign = await inLastSearch({
        on_unknown: 'resend',
        steps: [CONTENT, { ...CONTENT, delay_minutes: 60 }],
      });
      await deleted(`/campaigns/${campaign.id}/steps/${(await firstStepOf(campaign)).id}`);
      finish();
      await eventually(async () =>
        expect(await messagesOf(campaign)).toMatchObject([{ status: 'cancelled', reason: 'step_deleted' }]),
      );
      expect(sink.mails).toHaveLength(1);
    });

    it('a message of a deleted step is cancelled, although its account is inactive', async () => {
      const campaign = await inLastSearch({
        on_unknown: 'resend',
        steps: [CONTENT, { ...CONTENT, delay_minutes: 60 }],
      });
      await deleted(`/campaigns/${campaign.id}/steps/${(await firstStepOf(campaign)).id}`);
      expect((await api.put(`/email-accounts/${account.id}`, { is_active: false })).status).toBe(200);
      finish();
      await eventually(async () =>
        expect(await messagesOf(campaign)).toMatchObject([{ status: 'cancelled', reason: 'step_deleted' }]),
      );
      expect(sink.mails).toHaveLength(1);
    });
  });

  // The last test, because it ends the worker.
  it('a campaign that is deleted while messages are claimed returns their places of the day', async () => {
    const waiting = new Promise<void>((resolve) => (reply = resolve));
    sink.misbehave({ at: 'mail', wait: () => waiting });
    const campaign = await given.running(await given.contacts(30), { steps: [CONTENT] });
    await eventually(async () => expect(await sentToday()).toBeGreaterThan(0));
    await eventually(async () =>
      expect((await messagesOf(campaign)).some(({ status }) => status === 'sending')).toBe(true),
    );
    expect((await api.post(`/campaigns/${campaign.id}/pause`)).status).toBe(200);
    await deleted(`/campaigns/${campaign.id}`);
    reply();
    await eventually(async () => expect(await sentToday()).toBe(sink.mails.length));
    // Nothing is returned twice: the worker ends when it has recorded everything.
    await worker.close();
    expect(await sentToday()).toBe(sink.mails.length);
  });
});
