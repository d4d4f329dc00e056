import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

/** Each names its recipient; the last ones say what a dead address says. */
const REFUSALS = [
  '5.7.1 <{to}>: please turn on SMTP Authentication, ref 81',
  '5.1.1 <{to}>: no such user',
  '5.1.1 <{to}>',
] as const;

describe('an account that is refused', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let account: Schema<'EmailAccount'>;

  beforeAll(async () => {
    sink = await MailSink.start();
    await Promise.all([service.startWorker(), service.startWorker()]);
  });
  afterAll(() => sink.stop());
  beforeEach(async () => {
    sink.behave();
    sink.mails.length = 0;
    api = await service.client();
    given = new Given(api, service.database);
    account = await given.mailbox(sink);
  });

  /** @returns the IDs of contacts `{prefix}{n}@d{n}.example`, at so many domains */
  const contactsAt = (count: number, domains: number, prefix: string): Promise<number[]> =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        given.contact({ email: `${prefix}${n}-${api.workspaceId}@d${n % domains}.example` }),
      ),
    ).then((contacts) => contacts.map(({ id }) => id));
  const refuse = (text: string, matches = /./) =>
    sink.misbehave({ at: 'rcpt', matches, refuse: [550, text.replace('{to}', 'someone@d1.example')] });
  const messages = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages?per_page=100`)).data;
  const statuses = async (campaign: { id: number }) => (await messages(campaign)).map(({ status }) => status);
  /** The server accepts a message. */
  const sendOne = async (prefix: string): Promise<void> => {
    const campaign = await given.running(await contactsAt(1, 1, prefix));
    await eventually(async () => expect(await statuses(campaign)).toEqual(['sent']));
  };
  const stored = async (): Promise<Schema<'EmailAccount'>> => (await api.get(`/email-accounts/${account.id}`)).data;
  const contactStatuses = async () =>
    new Set((await api.get('/contacts?per_page=100')).data.map(({ status }: Schema<'Contact'>) => status));

  it.each(REFUSALS)(
    'is switched off after ten recipients of five domains, whose messages wait and go out when it is back: %s',
    async (text) => {
      await sendOne('before');
      refuse(text);
      const campaign = await given.running(await contactsAt(24, 6, 'r'));
      await eventually(async () =>
        expect(await stored()).toMatchObject({ is_active: false, disabled_reason: 'sender_refused' }),
      );
      await eventually(async () => {
        const all = await messages(campaign);
        expect(all).toHaveLength(24);
        for (const each of all) expect(each).toMatchObject({ status: 'queued', reason: 'account_inactive' });
      });
      expect(await contactStatuses()).toEqual(new Set(['active']));
      expect((await api.get('/blacklist')).data).toEqual([]);
      expect((await api.get(`/campaigns/${campaign.id}/stats`)).data.enrollments).toMatchObject({
        pending: 24,
        failed: 0,
      });
      const { data: events } = await api.get('/events?event=email_account.disabled');
      expect(events).toMatchObject([{ data: { id: account.id, disabled_reason: 'sender_refused' } }]);

      sink.behave();
      await api.put(`/email-accounts/${account.id}`, { is_active: true });
      await eventually(() => expect(sink.mails).toHaveLength(25));
      await eventually(async () => expect(new Set(await statuses(campaign))).toEqual(new Set(['sent'])));
    },
  );

  it('is switched off if all of its first ten recipients are refused, at one domain', async () => {
    refuse(REFUSALS[0]);
    const nine = await given.running(await contactsAt(9, 1, 'first'));
    await eventually(async () => expect(await statuses(nine)).toEqual(Array(9).fill('failed')));
    expect(await stored()).toMatchObject({ is_active: true });
    const tenth = await given.running(await contactsAt(1, 1, 'tenth'));
    await eventually(async () => expect(await stored()).toMatchObject({ disabled_reason: 'sender_refused' }));
    await eventually(async () =>
      expect([...(await statuses(nine)), ...(await statuses(tenth))]).toEqual(Array(10).fill('queued')),
    );
    expect((await api.get(`/campaigns/${nine.id}`)).data).toMatchObject({ status: 'active', completed_at: null });
  });

  it('stays active if a message was accepted in between, other words were used, or the recipients are of four domains', async () => {
    await sendOne('before');
    refuse(REFUSALS[0]);
    const fourDomains = await given.running(await contactsAt(14, 4, 'four'));
    await eventually(async () => expect(await statuses(fourDomains)).toEqual(Array(14).fill('failed')));
    sink.behave();
    await sendOne('between');
    refuse(REFUSALS[0]);
    const nine = await given.running(await contactsAt(9, 9, 'nine'));
    await eventually(async () => expect(await statuses(nine)).toEqual(Array(9).fill('failed')));
    sink.behave();
    refuse('5.7.1 go away for good');
    const others = await given.running(await contactsAt(9, 9, 'others'));
    await eventually(async () => expect(await statuses(others)).toEqual(Array(9).fill('failed')));
    expect(await stored()).toMatchObject({ is_active: true, disabled_reason: null });
  });
});
