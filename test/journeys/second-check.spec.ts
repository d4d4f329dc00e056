import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { Mailroom } from '../support/replies.js';
import { RequestGate } from '../support/request-gate.js';
import { useService } from '../support/service.js';

/** Longer than a server may take to accept a recipient before the message is checked again. */
const SLOW_MS = 300;
const TEN_DAYS_MS = 864_000_000;

interface Sending {
  readonly contact: Schema<'Contact'>;
  readonly campaign: Schema<'Campaign'>;
  readonly account: Schema<'EmailAccount'>;
}

describe('a message whose server delays its reply to the recipient', () => {
  const service = useService();
  let sink: MailSink;
  let other: MailSink | undefined;
  let gate: RequestGate;
  let api: ApiClient;
  let given: Given;
  let time: jest.SpyInstance | undefined;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    gate = new RequestGate(0);
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(async () => {
    time?.mockRestore();
    gate.open();
    await Promise.all([sink.stop(), other?.stop()]);
  });
  /** Lets so much time pass in this process that the server has been slow, whatever the machine is. */
  const passTime = () => {
    const now = performance.now.bind(performance);
    time = jest.spyOn(performance, 'now').mockImplementation(() => now() + SLOW_MS);
  };

  const inThreeDays = { timezone: 'UTC', days: [((new Date().getUTCDay() + 3) % 7) + 1], start: '09:00', end: '09:30' };
  const messages = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages`)).data;

  const changes: [string, (sending: Sending) => Promise<{ status: number }>, object | undefined][] = [
    [
      'another workspace blacklists the address',
      async ({ contact }) => (await service.client()).post('/blacklist', { email: contact.email }),
      { status: 'cancelled', reason: 'blacklisted' },
    ],
    [
      'the contact unsubscribes',
      ({ contact }) => api.post(`/contacts/${contact.id}/unsubscribe`),
      { status: 'cancelled', reason: 'unsubscribed' },
    ],
    [
      'the campaign is paused',
      ({ campaign }) => api.post(`/campaigns/${campaign.id}/pause`),
      { status: 'queued', reason: 'paused' },
    ],
    [
      'the contact is paused',
      ({ contact }) =>
        api.post(`/contacts/${contact.id}/pause`, { until: new Date(Date.now() + TEN_DAYS_MS).toISOString() }),
      { status: 'queued', reason: 'contact_paused' },
    ],
    [
      'the schedule of the campaign closes',
      ({ campaign }) => api.put(`/campaigns/${campaign.id}`, { schedule: inThreeDays }),
      { status: 'queued', reason: 'outside_schedule' },
    ],
    [
      'the account is made inactive',
      ({ account }) => api.put(`/email-accounts/${account.id}`, { is_active: false }),
      { status: 'queued', reason: 'account_inactive' },
    ],
    [
      'the contact is away',
      async ({ contact }) => {
        const mailroom = new Mailroom(service, api, given);
        const { id } = await mailroom.sent({ contact });
        const returnsOn = new Date(Date.now() + TEN_DAYS_MS).toISOString().slice(0, 10);
        await mailroom.record(id, { classification: 'out_of_office', returns_on: returnsOn });
        return { status: 200 };
      },
      { status: 'queued', reason: 'out_of_office' },
    ],
    ['the contact is deleted', ({ contact }) => api.delete(`/contacts/${contact.id}`), undefined],
    [
      'the contact is removed from the campaign',
      ({ contact, campaign }) => api.delete(`/campaigns/${campaign.id}/contacts/${contact.id}`),
      undefined,
    ],
  ];

  /** A message that waits for the reply to RCPT. */
  async function waitingMessage(account: Schema<'EmailAccount'>): Promise<Sending> {
    sink.misbehave({ at: 'rcpt', wait: gate.pass });
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { email_account_ids: [account.id] });
    await eventually(() => expect(gate.waiting).toBe(1));
    return { account, contact, campaign };
  }

  it.each(changes)('is not sent if %s', async (_change, change, expected) => {
    const sending = await waitingMessage(await given.mailbox(sink));
    expect([200, 201, 204]).toContain((await change(sending)).status);
    passTime();
    gate.open();
    await eventually(async () => {
      expect(await messages(sending.campaign)).toMatchObject(expected ? [expected] : []);
    });
    expect(sink.mails).toEqual([]);
  });

  const deletions: [string, (account: Schema<'EmailAccount'>) => Promise<{ status: number }>][] = [
    ['its account is deleted', ({ id }) => api.delete(`/email-accounts/${id}`)],
    [
      'its account is deleted while it goes back to the queue',
      async ({ id }) => {
        const requeue = `UPDATE queued_messages SET status = 'queued', leased_by = NULL, lease_until = NULL
          WHERE email_account_id = $1`;
        const transaction = await BlockingTransaction.begin(service.database, requeue, [id]);
        const deletion = api.delete(`/email-accounts/${id}`);
        await transaction.blocks(1);
        await transaction.commit();
        return deletion;
      },
    ],
  ];

  it.each(deletions)('is sent from another account if %s', async (_, remove) => {
    other = await MailSink.start();
    const { id } = await given.mailbox(other, { from_email: 'other@sender.example' });
    const { campaign, account } = await waitingMessage(await given.mailbox(sink));
    expect(await remove(account)).toMatchObject({ status: 204 });
    expect(await api.put(`/campaigns/${campaign.id}`, { email_account_ids: [id] })).toMatchObject({ status: 200 });
    passTime();
    gate.open();
    expect(await api.post(`/campaigns/${campaign.id}/start`)).toMatchObject({ status: 200 });
    await eventually(() => expect(other?.mails).toHaveLength(1));
    expect(sink.mails).toEqual([]);
  });
});
