import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { givenConnectedAccount } from '../support/given-connected-account.js';
import { MailSink } from '../support/mail-sink.js';
import { startService, type TestService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';

/** An issuer whose token endpoint returns the next access token, or an error. */
async function startIssuer(next: () => object & { error?: string }): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const isDiscovery = request.url?.includes('/.well-known/');
    const body = isDiscovery
      ? { issuer: url, token_endpoint: `${url}/token`, authorization_endpoint: `${url}/auth`, jwks_uri: `${url}/jwks` }
      : next();
    response.writeHead('error' in body ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('accounts of Google and Microsoft', () => {
  trustReceivers();
  let service: TestService;
  let google: MailSink;
  let microsoft: MailSink;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let refreshed: (object & { error?: string })[] = [];
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    const [googlePort, microsoftPort] = [Number(await freePort()), Number(await freePort())];
    google = await MailSink.start({
      host: '127.0.0.1',
      port: googlePort,
      encryption: 'implicit',
      users: {},
      tokens: { none: 'none' },
    });
    microsoft = await MailSink.start({
      host: '127.0.0.1',
      port: microsoftPort,
      encryption: 'starttls',
      users: {},
      tokens: { none: 'none' },
    });
    issuer = await startIssuer(() => refreshed.shift() ?? { error: 'invalid_grant' });
    service = await startService({
      GOOGLE_MAIL_HOSTS: `127.0.0.1:${googlePort},127.0.0.1:1`,
      MICROSOFT_MAIL_HOSTS: `127.0.0.1:${microsoftPort},127.0.0.1:1`,
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_ISSUER: issuer.url,
      EGRESS_ALLOWED_CIDRS: '',
    });
    await service.startWorker();
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([google.stop(), microsoft.stop()]);
    issuer.server.close();
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    google.behave();
    refreshed = [];
  });

  const messages = async (campaign: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages`)).data;
  const becomes = (campaign: { id: number }, expected: object) =>
    eventually(async () => expect(await messages(campaign)).toEqual([expect.objectContaining(expected)]));
  const tokenOf = (name: string) => ({ access_token: name, token_type: 'Bearer', expires_in: 3600 });
  const accountOf = async ({ id }: { id: number }) => (await api.get(`/email-accounts/${id}`)).data;

  it('send through the mail servers of their providers, with TLS and an access token', async () => {
    google.tokens['g@mail.example'] = 'google-token';
    microsoft.tokens['m@mail.example'] = 'microsoft-token';
    for (const [provider, address, sink] of [
      ['google', 'g@mail.example', google],
      ['microsoft', 'm@mail.example', microsoft],
    ] as const) {
      const account = await givenConnectedAccount(service, api, {
        provider,
        address,
        access_token: `${provider}-token`,
      });
      const contact = await given.contact();
      await becomes(await given.running([contact.id], { email_account_ids: [account.id] }), { status: 'sent' });
      expect(sink.to(contact.email)).toEqual([expect.objectContaining({ user: address, encrypted: true })]);
    }
  });

  it('send a step as a test, also with a token that has to be refreshed first', async () => {
    google.tokens['test@mail.example'] = 'second';
    refreshed = [tokenOf('second')];
    const account = await givenConnectedAccount(service, api, { address: 'test@mail.example', access_token: 'first' });
    const campaign = await given.campaign({ email_account_ids: [account.id] });
    const [step]: Schema<'Step'>[] = (await api.get(`/campaigns/${campaign.id}/steps`)).data;
    const send = async () =>
      (await api.post(`/campaigns/${campaign.id}/steps/${step?.id}/test-send`, { to: 'author@example.com' })).data;
    expect([await send(), await send()]).toMatchObject([{ success: true }, { success: true }]);
    expect(google.to('author@example.com').map(({ user }) => user)).toEqual(Array(2).fill('test@mail.example'));
    expect((await api.get(`/email-accounts/${account.id}/stats`)).data.sent_today).toBe(2);
  });

  it('send with a refreshed token if the server refuses a fresh one', async () => {
    google.tokens['fresh@mail.example'] = 'second';
    refreshed = [tokenOf('second')];
    const account = await givenConnectedAccount(service, api, { address: 'fresh@mail.example', access_token: 'first' });
    const contact = await given.contact();
    await becomes(await given.running([contact.id], { email_account_ids: [account.id] }), { status: 'sent' });
    expect(await accountOf(account)).toMatchObject({ is_active: true, disabled_reason: null, disabled_at: null });
  });

  it('are switched off with login_refused if the server refuses the refreshed token, too', async () => {
    const webhook = await api.post('/webhooks', { url: 'https://hooks.example/x', events: ['email_account.disabled'] });
    expect(webhook.status).toBe(201);
    google.tokens['refused@mail.example'] = 'another';
    refreshed = [tokenOf('second'), tokenOf('third')];
    const account = await givenConnectedAccount(service, api, {
      address: 'refused@mail.example',
      access_token: 'first',
    });
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { email_account_ids: [account.id] });
    await becomes(campaign, { status: 'queued', reason: 'account_inactive', attempts: 0 });
    const disabled = await accountOf(account);
    expect(disabled).toMatchObject({
      is_active: false,
      disabled_reason: 'login_refused',
      disabled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const [event] = await service.database.query<{ payload: object }>(
      `SELECT payload FROM webhook_events WHERE workspace_id = $1 AND event = 'email_account.disabled'`,
      [api.workspaceId],
    );
    expect(event?.payload).toMatchObject({
      event: 'email_account.disabled',
      data: { id: account.id, is_active: false, disabled_reason: 'login_refused', disabled_at: disabled.disabled_at },
    });
    google.tokens['refused@mail.example'] = 'second';
    const { body } = await api.put(`/email-accounts/${account.id}`, { is_active: true });
    expect(body.data).toMatchObject({ is_active: true, disabled_reason: null, disabled_at: null });
    await becomes(campaign, { status: 'sent' });
  });

  it('are switched off with consent_withdrawn if their token is not refreshed any more', async () => {
    refreshed = [{ error: 'invalid_grant' }];
    // The server refuses the token, which is refreshed then. An expired one could be refreshed before the campaign starts.
    const account = await givenConnectedAccount(service, api, { address: 'gone@mail.example' });
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { email_account_ids: [account.id] });
    await becomes(campaign, { status: 'queued', reason: 'account_inactive' });
    expect(await accountOf(account)).toMatchObject({ is_active: false, disabled_reason: 'consent_withdrawn' });
  });

  it('wait for the limit of the provider', async () => {
    google.tokens['limited@mail.example'] = 'token';
    google.misbehave({ at: 'rcpt', refuse: [421, '4.7.0 Try again later, closing connection'] });
    const account = await givenConnectedAccount(service, api, {
      address: 'limited@mail.example',
      access_token: 'token',
    });
    const contact = await given.contact();
    const campaign = await given.running([contact.id], { email_account_ids: [account.id] });
    await becomes(campaign, { status: 'queued', reason: 'provider_limit', attempts: 0 });
    expect((await api.get(`/contacts/${contact.id}`)).data.status).toBe('active');
  });

  it('wait for the limit of the provider if the reply to the login names it', async () => {
    google.tokens['logins@mail.example'] = 'token';
    google.misbehave({ at: 'login', refuse: [454, '4.7.0 Too many login attempts, please try again later'] });
    const account = await givenConnectedAccount(service, api, {
      address: 'logins@mail.example',
      access_token: 'token',
    });
    const campaign = await given.running([(await given.contact()).id], { email_account_ids: [account.id] });
    await becomes(campaign, { status: 'queued', reason: 'provider_limit', attempts: 0 });
    expect(await accountOf(account)).toMatchObject({ is_active: true });
  });
});
