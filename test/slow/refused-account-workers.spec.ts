import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { WorkerProcesses } from '../support/service-process.js';
import { useService } from '../support/service.js';

/** So many refusals in a row with the same words switch an account off. */
const THRESHOLD = 10;
const DOMAINS = 6;

describe('an account that is refused while two processes send from it', () => {
  const service = useService();
  const workers = new WorkerProcesses(service);
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let account: Schema<'EmailAccount'>;

  beforeAll(() => workers.run(2));
  afterAll(() => workers.stop());
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    account = await given.mailbox(sink);
  });
  afterEach(() => sink.stop());

  const contactsAt = async (count: number, prefix: string): Promise<number[]> => {
    const emails = Array.from({ length: count }, (_, n) => `${prefix}${n}-${api.workspaceId}@d${n % DOMAINS}.example`);
    const contacts = await Promise.all(emails.map((email) => given.contact({ email })));
    return contacts.map(({ id }) => id);
  };
  const messagesOf = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages?per_page=100`)).data;
  const expectAll = (campaign: { id: number }, count: number, expected: object): Promise<void> =>
    eventually(async () =>
      expect(await messagesOf(campaign)).toEqual(Array(count).fill(expect.objectContaining(expected))),
    );
  const stored = async (): Promise<Schema<'EmailAccount'>> => (await api.get(`/email-accounts/${account.id}`)).data;
  /** One session of each process sends a message first, so that both are at work and the account is not new. */
  const sendSome = async (): Promise<void> => {
    await expectAll(await given.running(await contactsAt(12, 'before')), 12, { status: 'sent' });
  };

  it.each(['5.1.1 no such user', '5.7.1 please turn on SMTP Authentication'])(
    'stays active after nine recipients, is switched off once by the tenth, and sends everything when it is back: %s',
    async (text) => {
      await sendSome();
      const received = sink.mails.length;
      sink.misbehave({ at: 'rcpt', matches: /./, refuse: [550, text] });
      const nine = await given.running(await contactsAt(THRESHOLD - 1, 'nine'));
      await eventually(async () => {
        const statuses = (await messagesOf(nine)).map(({ status }) => status);
        expect(statuses).toEqual(Array(THRESHOLD - 1).fill(expect.stringMatching(/^(failed|bounced)$/)));
      });
      expect(await stored()).toMatchObject({ is_active: true, disabled_reason: null });

      const rest = await given.running(await contactsAt(40, 'rest'));
      await eventually(async () =>
        expect(await stored()).toMatchObject({ is_active: false, disabled_reason: 'sender_refused' }),
      );
      const waits = { status: 'queued', reason: 'account_inactive', attempts: 0 };
      await expectAll(nine, THRESHOLD - 1, waits);
      await expectAll(rest, 40, waits);
      expect((await api.get('/contacts?status=bounced')).data).toEqual([]);
      expect((await api.get('/blacklist')).data).toEqual([]);
      const { data: events } = await api.get('/events?event=email_account.disabled');
      expect(events).toMatchObject([{ data: { id: account.id, disabled_reason: 'sender_refused' } }]);

      sink.behave();
      await api.put(`/email-accounts/${account.id}`, { is_active: true });
      await expectAll(nine, THRESHOLD - 1, { status: 'sent' });
      await expectAll(rest, 40, { status: 'sent' });
      expect(sink.mails).toHaveLength(received + THRESHOLD - 1 + 40);
      expect(new Set(sink.mails.map(({ message_id: id }) => id)).size).toBe(sink.mails.length);
    },
  );
});
