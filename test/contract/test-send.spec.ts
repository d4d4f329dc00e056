import { simpleParser } from 'mailparser';
import { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { SendgridStub } from '../support/sendgrid-stub.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const TO = 'author@example.com';
const STEP = {
  subject: 'Hello {{ first_name }}',
  body: '<p>{{ first_name }} of {{ city }}, <a href="https://acme.example/">see</a> {{ sender.name }}</p>',
};

describe('POST /campaigns/{id}/steps/{step}/test-send', () => {
  let sendgrid: SendgridStub;
  const service = useService(async () => {
    sendgrid = await SendgridStub.start();
    return { SENDGRID_BASE_URL: sendgrid.url };
  });
  let other: ServiceProcess | undefined;
  /** Another process of the API, which a test may kill. */
  const otherProcess = async (): Promise<ServiceProcess> => {
    if (!other?.isRunning) other = await ServiceProcess.startApi(service);
    return other;
  };
  afterAll(async () => {
    await other?.stop();
    await sendgrid.stop();
  });
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(() => sink.stop());

  const campaignWith = async (fields: object = {}, step: object = {}) => {
    const campaign = await given.campaign({ steps: [{ ...STEP, ...step }], ...fields });
    const steps: Schema<'Step'>[] = (await api.get(`/campaigns/${campaign.id}/steps`)).data;
    const [first] = steps;
    if (!first) throw new Error('The campaign has a step.');
    return { campaign, step: first, path: `/campaigns/${campaign.id}/steps/${first.id}/test-send` };
  };
  const sentToday = async (account: { id: number }) =>
    (await api.get(`/email-accounts/${account.id}/stats`)).data.sent_today;
  const received = async () => simpleParser(sink.to(TO).at(-1)?.raw ?? '');

  it('sends the step of a draft with sample values, without tracking, and counts it in the daily limit', async () => {
    const account = await given.mailbox(sink);
    const { campaign, path } = await campaignWith();
    const response = await api.post(path, { to: 'Author@Example.com' });
    expect(response).toMatchObject({
      status: 200,
      body: {
        data: { success: true, message: expect.any(String), message_id: expect.stringMatching(/@sender\.example$/) },
      },
    });
    const mail = await received();
    expect(mail.messageId).toBe(`<${response.data.message_id}>`);
    expect([mail.subject, mail.from?.text]).toEqual(['Hello Camille', '"Sales" <sales@sender.example>']);
    expect(mail.html).toContain('<p>Camille of city, <a href="https://acme.example/">see</a> Sales</p>');
    expect(mail.text).toContain('Camille of city, see <https://acme.example/>');
    expect(mail.html).not.toContain('outreach.test');
    expect([mail.headers.has('list-unsubscribe'), mail.headers.has('list')]).toEqual([false, false]);
    expect(await sentToday(account)).toBe(1);
    expect((await api.get(`/campaigns/${campaign.id}/messages`)).body.meta.total).toBe(0);
    expect((await api.get(`/campaigns/${campaign.id}`)).data).toMatchObject({ status: 'draft', contacts_count: 0 });
  });

  it("fills in a contact's values and sends the variant that is asked for", async () => {
    await given.mailbox(sink);
    const contact = await given.contact({ first_name: 'Zoé', custom_fields: { city: 'Lyon' } });
    const variants = [
      { name: 'Never', weight: 0, subject: 'Never' },
      { name: 'A', weight: 1, subject: 'A for {{ first_name }}' },
      { name: 'B', weight: 1, body: '<p>B in {{ city }}</p>' },
    ];
    const { step, path } = await campaignWith({}, { variants });
    await api.post(path, { to: TO, contact_id: contact.id });
    expect((await received()).subject).toBe('A for Zoé');
    await api.post(path, { to: TO, contact_id: contact.id, variant_id: step.variants[2]?.id });
    const mail = await received();
    expect(mail.subject).toBe('Hello Zoé');
    expect(mail.html).toContain('<p>B in Lyon</p>');
    const other = await campaignWith({}, { variants });
    for (const variant_id of [other.step.variants[0]?.id, 999_999_999, 'x']) {
      const refused = await api.post(path, { to: TO, variant_id });
      expect(refused).toMatchObject({ status: 422, body: { errors: { variant_id: [expect.any(String)] } } });
    }
    for (const to of [undefined, null, '', 'x', 'a@b', [TO], `${TO}, other@example.com`]) {
      expect((await api.post(path, { to })).body.errors).toEqual({ to: [expect.any(String)] });
    }
  });

  it('is refused for an address that any workspace has blacklisted', async () => {
    await given.mailbox(sink);
    const { path } = await campaignWith();
    const other = await service.client();
    await other.post('/blacklist', { email: 'blocked@example.com' });
    expect(await api.post(path, { to: 'Blocked@example.com' })).toMatchObject({
      status: 422,
      body: { errors: null, reason: 'blacklisted' },
    });
    expect(sink.mails).toEqual([]);
  });

  it('is refused to people who have unsubscribed, bounced or complained, also after their contact is gone', async () => {
    await given.mailbox(sink);
    const { path } = await campaignWith();
    const reasonOf = async (to: string) => {
      const { status, body } = await api.post(path, { to });
      return [status, body.errors, body.reason];
    };
    for (const status of ['unsubscribed', 'bounced', 'complained']) {
      await given.contact({ email: `${status}@example.com`, status });
      expect(await reasonOf(`${status.toUpperCase()}@Example.com`)).toEqual([422, null, status]);
    }
    const deleted = await given.contact({ email: 'deleted@example.com' });
    await api.post(`/contacts/${deleted.id}/unsubscribe`);
    await api.delete(`/contacts/${deleted.id}`);
    expect(await reasonOf(deleted.email)).toEqual([422, null, 'unsubscribed']);
    expect(sink.mails).toEqual([]);
    const returned = await given.contact({ email: 'returned@example.com', status: 'unsubscribed' });
    await api.post(`/contacts/${returned.id}/resubscribe`);
    const other = await service.client();
    await new Given(other, service.database).contact({ email: TO, status: 'unsubscribed' });
    for (const to of [returned.email, TO, 'colleague@example.com'])
      expect((await api.post(path, { to, contact_id: returned.id })).data).toMatchObject({ success: true });
  });

  it('shows a contact only to tokens that may read contacts', async () => {
    await given.mailbox(sink);
    const contact = await given.contact({ first_name: 'Zoé' });
    const { path } = await campaignWith();
    const { data } = await api.post('/tokens', { name: 'Writer', permissions: ['campaigns:write'] });
    const writer = new ApiClient(service.url, data.token, api.workspaceId);
    for (const contact_id of [contact.id, 999_999_999]) {
      const { status, body } = await writer.post(path, { to: TO, contact_id });
      expect([status, body]).toEqual([403, { error: 'Forbidden', message: expect.stringContaining('contacts:read') }]);
    }
    expect((await writer.post(path, { to: TO, contact_id: 'x' })).status).toBe(422);
    expect(sink.mails).toEqual([]);
    for (const fields of [{}, { contact_id: null }])
      expect((await writer.post(path, { to: TO, ...fields })).data).toMatchObject({ success: true });
    expect((await received()).subject).toBe('Hello Camille');
  });

  it('goes out from the first account that may send, and is refused if none may', async () => {
    const { path } = await campaignWith();
    expect((await api.post(path, { to: TO })).body).toMatchObject({ code: 422, reason: 'no_account' });
    const first = await given.mailbox(sink, { daily_limit: 1, from_email: 'first@sender.example' });
    const second = await given.mailbox(sink, { daily_limit: 1, from_email: 'second@sender.example' });
    const own = await campaignWith({ email_account_ids: [second.id, first.id] });
    const senders: (string | undefined)[] = [];
    for (let count = 0; count < 2; count += 1) {
      expect((await api.post(own.path, { to: TO })).data).toMatchObject({ success: true });
      senders.push(sink.mails.at(-1)?.from);
    }
    expect(senders).toEqual(['second@sender.example', 'first@sender.example']);
    expect((await api.post(own.path, { to: TO })).body).toMatchObject({ errors: null, reason: 'daily_limit' });
    expect((await api.post(path, { to: TO })).body).toMatchObject({ errors: null, reason: 'daily_limit' });
    await api.put(`/email-accounts/${first.id}`, { is_active: false });
    await api.put(`/email-accounts/${second.id}`, { is_active: false });
    expect((await api.post(own.path, { to: TO })).body).toMatchObject({ errors: null, reason: 'no_account' });
  });

  it('counts at most as many as the daily limit allows when many are sent at the same time', async () => {
    const account = await given.mailbox(sink, { daily_limit: 3 });
    const { path } = await campaignWith();
    const responses = await Promise.all(Array.from({ length: 8 }, () => api.post(path, { to: TO })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(sink.mails).toHaveLength(3);
    expect(await sentToday(account)).toBe(3);
  });

  it('says what the mail server said, and does not count what was not sent', async () => {
    const account = await given.mailbox(sink);
    const { path } = await campaignWith();
    sink.misbehave({ at: 'rcpt', times: 1, refuse: [550, '5.7.1 Not here'] });
    expect((await api.post(path, { to: TO })).data).toEqual({
      success: false,
      message: expect.stringContaining('5.7.1 Not here'),
      message_id: null,
    });
    await given.mailbox(sink, { smtp_password: 'wrong', from_email: 'wrong@sender.example' });
    const accounts: Schema<'EmailAccount'>[] = (await api.get('/email-accounts')).data;
    const wrong = accounts.find(({ from_email }) => from_email === 'wrong@sender.example');
    const other = await campaignWith({ email_account_ids: [wrong?.id] });
    expect((await api.post(other.path, { to: TO })).data).toMatchObject({ success: false, message_id: null });
    sink.misbehave({ at: 'reply', times: 1, drop: true });
    expect((await api.post(path, { to: TO })).data).toMatchObject({
      success: false,
      message_id: expect.stringContaining('@'),
    });
    expect(await sentToday(account)).toBe(1);
  });

  it('is done once for an Idempotency-Key', async () => {
    const account = await given.mailbox(sink);
    const { path } = await campaignWith();
    const once = () => api.post(path, { to: TO }, { 'idempotency-key': 'once' });
    const [first, second] = [await once(), await once()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(sink.mails).toHaveLength(1);
    expect(await sentToday(account)).toBe(1);
  });

  it('is done once for an Idempotency-Key that two processes get at the same time', async () => {
    const account = await given.mailbox(sink);
    const { path } = await campaignWith();
    const gate = new RequestGate(0);
    sink.misbehave({ at: 'reply', times: 1, wait: gate.pass });
    const { url } = await otherProcess();
    const once = (client: ApiClient) => client.post(path, { to: TO }, { 'idempotency-key': 'at once' });
    const first = once(new ApiClient(url, api.token, api.workspaceId));
    await eventually(() => expect(gate.waiting).toBe(1));
    expect((await once(api)).body).toMatchObject({ code: 409, reason: 'idempotency_key_in_use' });
    gate.open();
    const { status, body } = await first;
    expect([status, body.data.success]).toEqual([200, true]);
    const replayed = await once(api);
    expect([replayed.body, replayed.headers.get('idempotency-replayed')]).toEqual([body, 'true']);
    expect([sink.mails.length, await sentToday(account)]).toEqual([1, 1]);
  });

  it('can be repeated with its Idempotency-Key after an error, and two minutes after the process was killed', async () => {
    await given.mailbox(sink);
    const { path } = await campaignWith();
    const once = (client = api) => client.post(path, { to: TO }, { 'idempotency-key': 'after' });
    const killed = await otherProcess();
    sink.misbehave({ at: 'rcpt', times: 1, wait: () => killed.kill(), drop: true });
    await expect(once(new ApiClient(killed.url, api.token, api.workspaceId))).rejects.toThrow();
    await killed.kill();
    const extendReservation = async (seconds: number) => {
      const [reserved] = await service.database.query<{ until: Date }>(
        'SELECT reserved_until AS until FROM idempotency_keys WHERE workspace_id = $1 AND reserved_until IS NOT NULL',
        [api.workspaceId],
      );
      const until = new Date(Number(reserved?.until) + seconds * 1_000);
      await service.database.query('UPDATE idempotency_keys SET reserved_until = $2 WHERE workspace_id = $1', [
        api.workspaceId,
        until,
      ]);
    };
    // An hour more, so that it does not end before the next request on a slow machine.
    await extendReservation(3_600);
    expect((await once()).body).toMatchObject({ code: 409, reason: 'idempotency_key_in_use' });
    await extendReservation(-3_720);
    expect((await once()).data).toMatchObject({ success: true });
    expect((await once()).headers.get('idempotency-replayed')).toBe('true');
    expect(sink.mails).toHaveLength(1);
  });

  it('goes out through SendGrid, and says what SendGrid said', async () => {
    const { data: account } = await api.post('/email-accounts', {
      ...{ name: 'SendGrid', type: 'sendgrid', sendgrid_api_key: sendgrid.key },
      ...{ from_email: 'sales@sender.example', from_name: 'Sales' },
    });
    const { path } = await campaignWith({ email_account_ids: [account.id] });
    expect((await api.post(path, { to: TO })).data).toMatchObject({ success: true, message_id: expect.any(String) });
    expect(sendgrid.sent).toMatchObject([{ personalizations: [{ to: [{ email: TO }] }], subject: 'Hello Camille' }]);
    sendgrid.nextResponses.push([400, 'The from address does not match a verified Sender Identity']);
    expect((await api.post(path, { to: TO })).data).toEqual({
      success: false,
      message: expect.stringContaining('verified Sender Identity'),
      message_id: null,
    });
    expect(await sentToday(account)).toBe(1);
  });

  it('counts in the daily limit and begins the gap although the process is killed before the server replies', async () => {
    const account = await given.mailbox(sink, { daily_limit: 2, min_seconds_between: 3600 });
    const { path } = await campaignWith();
    const killed = await otherProcess();
    sink.misbehave({ at: 'reply', times: 1, wait: () => killed.kill(), drop: true });
    const request = new ApiClient(killed.url, api.token, api.workspaceId).post(path, { to: TO });
    await expect(request).rejects.toThrow();
    await killed.kill();
    expect(sink.to(TO)).toHaveLength(1);
    expect(await sentToday(account)).toBe(1);
    expect((await api.post(path, { to: TO })).body).toMatchObject({ code: 422, reason: 'min_seconds_between' });
    await api.put(`/email-accounts/${account.id}`, { min_seconds_between: 0 });
    expect((await api.post(path, { to: TO })).data).toMatchObject({ success: true });
    expect((await api.post(path, { to: TO })).body).toMatchObject({ code: 422, reason: 'daily_limit' });
  });
});
