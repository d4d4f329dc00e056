import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { SlowSends } from '../../src/sending/dispatch/slow-sends.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { SendgridStub } from '../support/sendgrid-stub.js';
import { useService } from '../support/service.js';

const MESSAGES = 3;

describe('messages that wait because their provider could not be used', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let account: Schema<'EmailAccount'>;
  let campaign: Schema<'Campaign'>;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
  });
  afterEach(() => sink.stop());

  /** Starts a campaign, whose messages wait for their next attempt. */
  async function start(): Promise<void> {
    const given = new Given(api, service.database);
    account = await given.mailbox(sink);
    campaign = await given.running(await given.contacts(MESSAGES), { email_account_ids: [account.id] });
    await eventually(async () => expect(await states()).toEqual(all('queued temporary_failure')));
  }
  const startUnreachable = async (): Promise<void> => {
    sink.misbehave({ at: 'connect', drop: true });
    await start();
    sink.behave();
  };
  const all = (state: string): string[] => Array.from({ length: MESSAGES }, () => state);
  const messages = async (): Promise<Schema<'Message'>[]> => (await api.get(`/campaigns/${campaign.id}/messages`)).data;
  const states = async (): Promise<string[]> => (await messages()).map(({ status, reason }) => `${status} ${reason}`);
  const areSent = () => eventually(async () => expect(await states()).toEqual(all('sent null')));
  const dueMessages = () =>
    service.database.query('SELECT id FROM queued_messages WHERE campaign_id = $1 AND next_attempt_at <= now()', [
      campaign.id,
    ]);
  const path = () => `/email-accounts/${account.id}`;

  it.each<[string, () => Promise<unknown>]>([
    ['a test of the account succeeds', () => api.post(`${path()}/test`)],
    ['its password is entered again', () => api.put(path(), { smtp_password: sink.account.smtp_password })],
    [
      'it is made inactive and active again',
      async () => {
        await api.put(path(), { is_active: false });
        await api.put(path(), { is_active: true });
      },
    ],
    ['all of them are retried', () => api.post(`/campaigns/${campaign.id}/messages/retry`, { status: 'queued' })],
    [
      'each is retried',
      async () => {
        for (const { id } of await messages()) await api.post(`/campaigns/${campaign.id}/messages/${id}/retry`);
      },
    ],
  ])('are due as soon as %s', async (_, change) => {
    await startUnreachable();
    expect(await dueMessages()).toEqual([]);
    await change();
    await areSent();
  });

  it('wait as before when the same login is entered again', async () => {
    await startUnreachable();
    const { smtp_host, smtp_port, smtp_username, smtp_encryption } = sink.account;
    const same = { smtp_host, smtp_port, smtp_username, smtp_encryption, is_active: true };
    expect((await api.put(path(), same)).status).toBe(200);
    expect(await dueMessages()).toEqual([]);
  });

  it('are not those that the server of a recipient has deferred', async () => {
    sink.misbehave({ at: 'rcpt', refuse: [450, '4.7.1 Recipient address rejected: Greylisted'] });
    await start();
    sink.behave();
    expect((await api.post(`${path()}/test`)).data).toMatchObject({ success: true });
    await api.put(path(), { smtp_password: sink.account.smtp_password });
    expect(await dueMessages()).toEqual([]);
    expect(await messages()).toMatchObject(Array.from({ length: MESSAGES }, () => ({ attempts: 1 })));
    await api.post(`/campaigns/${campaign.id}/messages/retry`, { status: 'queued' });
    await areSent();
  });
});

describe('a key that SendGrid refuses late', () => {
  let sendgrid: SendgridStub;
  const service = useService(async () => {
    sendgrid = await SendgridStub.start();
    return { SENDGRID_BASE_URL: sendgrid.url };
  });
  let worker: INestApplicationContext;
  let api: ApiClient;
  let gate: RequestGate;
  let account: Schema<'EmailAccount'>;

  beforeAll(async () => {
    worker = await service.startWorker();
  });
  afterAll(() => sendgrid.stop());
  beforeEach(async () => {
    api = await service.client();
    gate = sendgrid.gate = new RequestGate(0);
    const given = new Given(api, service.database);
    ({ data: account } = await api.post('/email-accounts', {
      ...{ name: 'SendGrid', type: 'sendgrid', from_email: 'grid@sender.example', from_name: 'Grid' },
      ...{ daily_limit: 100, sendgrid_api_key: 'SG.refused.key' },
    }));
    await given.running(await given.contacts(MESSAGES), { email_account_ids: [account.id] });
    // The run has returned, and its requests are waited for.
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    await eventually(() => expect(worker.get(SlowSends).size(scope, account.id)).toBe(MESSAGES));
  });
  afterEach(() => gate.open());

  const state = async () => (await api.get(`/email-accounts/${account.id}`)).data;

  it('switches the account off', async () => {
    gate.open();
    await eventually(async () =>
      expect(await state()).toMatchObject({ is_active: false, disabled_reason: 'login_refused' }),
    );
  });

  it('does not switch it off if it has got another key meanwhile', async () => {
    await api.put(`/email-accounts/${account.id}`, { sendgrid_api_key: sendgrid.key });
    gate.open();
    await eventually(() => expect(sendgrid.sent).toHaveLength(MESSAGES));
    expect(await state()).toMatchObject({ is_active: true });
  });
});
