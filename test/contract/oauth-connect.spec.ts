import { Database } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { AccessTokens } from '../../src/email-accounts/index.js';
import type { ApiClient } from '../support/api-client.js';
import { ConnectingBrowser } from '../support/connecting-browser.js';
import { eventually } from '../support/eventually.js';
import { OpenidProvider } from '../support/openid-provider.js';
import { startService, type TestService } from '../support/service.js';

const APPLICATION = 'https://app.example.com';
const TEN_MINUTES_MS = 600_000;

describe('connecting a mailbox without a provider', () => {
  const start = async (service: TestService, name: string) =>
    (await service.client()).post(`/email-accounts/oauth/${name}`, { name: 'Sales' });

  it('returns 422 if the operator has not configured the application, or only a part of it', async () => {
    const service = await startService({ GOOGLE_CLIENT_ID: 'id' });
    for (const name of ['google', 'microsoft']) {
      const { status, body } = await start(service, name);
      expect([status, body.reason, body.errors]).toEqual([422, 'provider_not_configured', null]);
    }
    await service.stop();
  });

  it('returns 422 while the provider cannot be reached, and works as soon as it can', async () => {
    const provider = await OpenidProvider.start();
    const service = await startService(provider.settings);
    await provider.stop();
    const { status, body } = await start(service, 'google');
    expect([status, body.reason]).toEqual([422, 'provider_unavailable']);
    await provider.restart();
    expect((await start(service, 'google')).status).toBe(201);
    await service.stop();
    await provider.stop();
  });
});

describe('connecting a mailbox at a PUBLIC_URL with HTTPS', () => {
  it('sets a cookie that no other host can set', async () => {
    const provider = await OpenidProvider.start();
    const service = await startService({ ...provider.settings, PUBLIC_URL: 'https://outreach.test' });
    const { data } = await (await service.client()).post('/email-accounts/oauth/google', { name: 'Sales' });
    const response = await new ConnectingBrowser(service).open(data.authorization_url);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-outreach-browser=[\w-]{43}; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/),
    ]);
    await service.stop();
    await provider.stop();
  });
});

describe.each(['google', 'microsoft'] as const)('connecting a mailbox of %s', (name) => {
  let provider: OpenidProvider;
  let service: TestService;
  let api: ApiClient;
  let browser: ConnectingBrowser;
  beforeAll(async () => {
    provider = await OpenidProvider.start(name);
    service = await startService({
      ...provider.settings,
      OAUTH_REDIRECT_ORIGINS: APPLICATION,
      WORKSPACE_LIMITS: 'email_accounts=2',
    });
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
  });
  beforeEach(async () => {
    api = await service.client();
    browser = new ConnectingBrowser(service);
    const fresh = { claims: {}, authorizationError: undefined, failure: undefined, issuesRefreshTokens: true };
    const user = { sub: 'anna', email: 'Anna@mail.example', email_verified: true, name: 'Anna Example' };
    Object.assign(provider, fresh, { user, signsWithUnknownKey: false, hasRevocation: true, revocationStatus: 200 });
    provider.tokenRequests.length = 0;
    provider.revoked.length = 0;
  });

  const begin = async (
    fields: object = {},
    client = api,
  ): Promise<{ authorization_url: string; expires_at: string }> => {
    const { status, data } = await client.post(`/email-accounts/oauth/${name}`, { name: 'Sales', ...fields });
    expect(status).toBe(201);
    return data;
  };
  const open = (callback: URL, headers: Record<string, string> = {}) => browser.open(callback, { headers });
  const connect = async (fields: object = {}) => {
    const { authorization_url: url } = await begin(fields);
    const response = await open(await browser.authorize(provider, url));
    return { status: response.status, location: response.headers.get('location'), page: await response.text() };
  };
  const connected = async (fields: object = {}) => {
    const { location } = await connect({ redirect_to: `${APPLICATION}/done`, ...fields });
    const query = new URL(location ?? '').searchParams;
    expect([query.get('status'), query.get('reason')]).toEqual(['connected', null]);
    return (await api.get(`/email-accounts/${query.get('email_account_id')}`)).data;
  };
  const reasonOf = async (fields: object = {}): Promise<string | null> => {
    const { status, location } = await connect({ redirect_to: `${APPLICATION}/done?a=b%20c#end`, ...fields });
    const { searchParams, hash, origin, pathname } = new URL(location ?? '');
    expect([status, `${origin}${pathname}`, hash]).toEqual([303, `${APPLICATION}/done`, '#end']);
    expect([searchParams.get('a'), searchParams.get('status')]).toEqual(['b c', 'failed']);
    return searchParams.get('reason');
  };
  const accounts = async (client = api) => (await client.get('/email-accounts')).data;
  const tokenOf = async (id: number): Promise<string> => {
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    return service.app.get(AccessTokens).get(scope, id);
  };

  it('returns an authorization URL with state, nonce, PKCE and the scopes, good for ten minutes', async () => {
    const startedAt = Date.now();
    const { authorization_url, expires_at } = await begin();
    const { origin, pathname, searchParams } = new URL(authorization_url);
    expect(`${origin}${pathname}`).toBe('http://outreach.test/oauth/connect');
    const parameters = Object.fromEntries(searchParams);
    const atProvider = new URL((await browser.agree(authorization_url)) ?? '');
    expect(Object.fromEntries(atProvider.searchParams)).toEqual(parameters);
    expect(parameters).toMatchObject({
      response_type: 'code',
      client_id: 'outreach-client',
      redirect_uri: `http://outreach.test/oauth/${name}/callback`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{32,}$/),
      nonce: expect.stringMatching(/^[\w-]{32,}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    const scopes = {
      google: 'openid email profile https://mail.google.com/',
      microsoft:
        'openid email profile offline_access https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All',
    };
    expect(parameters.scope).toBe(scopes[name]);
    const asked = {
      google: ['select_account consent', 'offline'],
      microsoft: ['select_account', undefined],
    };
    expect([parameters.prompt, parameters.access_type]).toEqual(asked[name]);
    const begunAt = Date.parse(expires_at) - TEN_MINUTES_MS;
    expect(begunAt).toBeGreaterThanOrEqual(startedAt);
    expect(begunAt).toBeLessThanOrEqual(Date.now());
    const stored = await service.database.query('SELECT * FROM oauth_states WHERE workspace_id = $1', [
      api.workspaceId,
    ]);
    for (const secret of [parameters.state, parameters.nonce]) expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('creates the account of the address in the ID token, with the name that was given or that of the token', async () => {
    const account = await connected({ daily_limit: 70 });
    expect(account).toMatchObject({
      name: 'Sales',
      type: name,
      from_email: 'anna@mail.example',
      from_name: 'Anna Example',
      daily_limit: 70,
      is_active: true,
      is_default: true,
    });
    expect(await tokenOf(account.id)).toBe(provider.accessTokens.at(-1));
    provider.user = { ...provider.user, sub: 'ben', email: 'ben@mail.example', name: undefined };
    expect(await connected({ from_name: 'Ben' })).toMatchObject({
      from_name: 'Ben',
      is_default: false,
      daily_limit: 500,
    });
    expect(JSON.stringify(await accounts())).not.toMatch(/access-|refresh-/);
  });

  it('takes the address as the sender if the token has no name', async () => {
    provider.user = { ...provider.user, name: ' \n ' };
    expect(await connected()).toMatchObject({ from_name: 'anna@mail.example' });
  });

  it('takes the address of Microsoft from preferred_username if there is no other', async () => {
    provider.user = { sub: 'anna', preferred_username: 'Anna@contoso.example' };
    if (name === 'microsoft') expect(await connected()).toMatchObject({ from_email: 'anna@contoso.example' });
    else expect(await reasonOf()).toBe('provider_error');
  });

  const newBrowser = () => new ConnectingBrowser(service);
  const resultOf = (response: Response): string | null => {
    const { searchParams } = new URL(response.headers.get('location') ?? 'none:');
    return searchParams.get('reason') ?? searchParams.get('status');
  };

  it('shows a page before the provider that names the workspace and what it will be able to do', async () => {
    await service.database.query(`UPDATE workspaces SET name = 'Acme <b>&' WHERE id = $1`, [api.workspaceId]);
    const { authorization_url: url } = await begin({ redirect_to: `${APPLICATION}/done` });
    const response = await browser.open(url);
    const page = await response.text();
    expect([response.status, page]).toEqual([200, expect.stringContaining('Acme &lt;b&gt;&amp;')]);
    expect(page).toContain('send emails from its address');
    expect(page).not.toContain('<script');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).toContain(`form-action 'self' https: http:;`);
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^outreach-browser=[\w-]{43}; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/),
    ]);
    const french = await browser.open(url, { headers: { 'accept-language': 'fr' } });
    expect(await french.text()).toContain('L’espace de travail');
  });

  it('connects nothing for a person who follows the link to the provider without having agreed in that browser', async () => {
    const { authorization_url: url } = await begin({ redirect_to: `${APPLICATION}/done` });
    const callback = await browser.authorize(provider, url);
    const visitor = newBrowser();
    await visitor.open(url);
    for (const other of [newBrowser(), visitor]) {
      const response = await other.open(callback);
      expect([response.status, resultOf(response)]).toEqual([303, 'other_browser']);
    }
    expect([await accounts(), provider.tokenRequests]).toEqual([[], []]);
    expect(resultOf(await open(callback))).toBe('connected');
  });

  it('shows another browser a page of 400 if no application is named', async () => {
    const callback = await browser.authorize(provider, (await begin()).authorization_url);
    const response = await newBrowser().open(callback);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('not the browser in which'),
    ]);
    expect(await accounts()).toEqual([]);
  });

  it('does not lead to the provider without the cookie of the page, or from a page of another site', async () => {
    const { authorization_url: url } = await begin();
    const without = await newBrowser().open(url, { method: 'POST' });
    expect([without.status, without.headers.get('location')]).toEqual([400, null]);
    for (const site of ['cross-site', 'same-site']) {
      expect(await browser.agree(url, { 'sec-fetch-site': site })).toBeNull();
    }
    expect(await browser.agree(url, { 'sec-fetch-site': 'same-origin' })).toContain('/authorize?');
  });

  it('connects by the browser in which a person has agreed last', async () => {
    const { authorization_url: url } = await begin();
    const [first, last] = [newBrowser(), newBrowser()];
    const callback = await first.authorize(provider, url);
    await last.agree(url);
    expect((await first.open(callback)).status).toBe(400);
    expect((await last.open(callback)).status).toBe(200);
    expect(await accounts()).toHaveLength(1);
  });

  it('connects several mailboxes at the same time in one browser, which may reload the pages', async () => {
    const [one, other] = [(await begin()).authorization_url, (await begin()).authorization_url];
    const callbacks = [await browser.authorize(provider, one), await browser.authorize(provider, other)];
    await browser.open(one);
    for (const callback of callbacks) expect((await open(callback)).status).toBe(200);
  });

  it('asks no question after the end, or after ten minutes', async () => {
    const { authorization_url: url } = await begin({ redirect_to: `${APPLICATION}/done` });
    await open(await browser.authorize(provider, url));
    for (const method of ['GET', 'POST']) expect(resultOf(await browser.open(url, { method }))).toBe('used');
    const { authorization_url: late } = await begin();
    service.clocks.advance(api.workspaceId, { seconds: 601 });
    for (const method of ['GET', 'POST']) {
      const response = await browser.open(late, { method });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('expired')]);
    }
    const unknown = await browser.open('http://outreach.test/oauth/connect?state=unknown');
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('This link does not work')]);
  });

  it('does not use the state up for a HEAD request', async () => {
    const { authorization_url: url } = await begin();
    const callback = await browser.authorize(provider, url);
    const head = await browser.open(callback, { method: 'HEAD' });
    expect([head.status, await accounts()]).toEqual([200, []]);
    expect((await open(callback)).status).toBe(200);
    expect(await accounts()).toHaveLength(1);
  });

  it('shows a page if no application is named, in English and French', async () => {
    const { status, page } = await connect();
    expect([status, page]).toEqual([200, expect.stringContaining('The mailbox is connected')]);
    const { authorization_url: url } = await begin();
    const french = await open(await browser.authorize(provider, url), { 'accept-language': 'fr' });
    expect(french.headers.get('cache-control')).toBe('no-store');
    expect(await french.text()).toContain('La boîte mail est connectée');
    provider.authorizationError = 'access_denied';
    expect(await connect()).toMatchObject({ status: 400, page: expect.stringContaining('not connected') });
  });

  it('connects an address again: the same account with new tokens, active, with its own name and limit', async () => {
    const first = await connected({ daily_limit: 70 });
    await service.database.query(
      `UPDATE email_accounts SET is_active = FALSE, disabled_reason = 'consent_withdrawn', disabled_at = now() WHERE id = $1`,
      [first.id],
    );
    provider.user = { ...provider.user, email: 'ANNA@MAIL.example', name: 'Another' };
    const again = await connected({ name: 'Other', from_name: 'Other', daily_limit: 5 });
    expect(again).toEqual({ ...first, updated_at: again.updated_at });
    expect(await tokenOf(first.id)).toBe(provider.accessTokens.at(-1));
    const [row] = await service.database.query(
      'SELECT disabled_reason, disabled_at FROM email_accounts WHERE id = $1',
      [first.id],
    );
    expect(row).toEqual({ disabled_reason: null, disabled_at: null });
  });

  it('finds the account although its sender was changed', async () => {
    const first = await connected();
    await api.put(`/email-accounts/${first.id}`, { from_email: 'alias@mail.example' });
    expect(await connected()).toMatchObject({ id: first.id, from_email: 'alias@mail.example' });
  });

  it('creates one account for concurrent callbacks of one address', async () => {
    const callbacks: URL[] = [];
    for (let count = 0; count < 3; count += 1) {
      callbacks.push(await browser.authorize(provider, (await begin()).authorization_url));
    }
    const statuses = (await Promise.all(callbacks.map((callback) => open(callback)))).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(await accounts()).toHaveLength(1);
  });

  it('creates no more accounts than the workspace may have, but connects its own again', async () => {
    const first = await connected();
    for (const user of ['ben', 'carla']) {
      provider.user = { sub: user, email: `${user}@mail.example` };
      if (user === 'ben') await connected();
      else expect(await reasonOf()).toBe('limit_reached');
    }
    expect(await accounts()).toHaveLength(2);
    provider.user = { sub: 'anna', email: 'anna@mail.example' };
    expect(await connected()).toMatchObject({ id: first.id });
  });

  it.each([
    ['access_denied', 'denied'],
    ['server_error', 'provider_error'],
  ])('ends with a reason if the provider returns the error %s: %s', async (error, reason) => {
    provider.authorizationError = error;
    expect(await reasonOf()).toBe(reason);
    expect(await accounts()).toEqual([]);
  });

  const invalid: readonly (readonly [string, Partial<OpenidProvider>])[] = [
    ['has the wrong nonce', { claims: { nonce: 'other' } }],
    ['has the wrong audience', { claims: { aud: 'other' } }],
    ['has another issuer', { claims: { iss: 'https://accounts.example' } }],
    ['has expired', { claims: { exp: 1 } }],
    ['is signed with an unknown key', { signsWithUnknownKey: true }],
    ['says that the address is not verified', { claims: { email_verified: false } }],
    ['has no address', { claims: { email: undefined, preferred_username: undefined } }],
    ['has no valid address', { claims: { email: 'a@b\r\nRCPT TO:<c@d.example>' } }],
  ];
  it.each(invalid)('connects nothing if the ID token %s', async (_title, changes) => {
    Object.assign(provider, changes);
    expect(await reasonOf()).toBe('provider_error');
    expect(await accounts()).toEqual([]);
  });

  it.each([
    ['an error', { status: 400, body: { error: 'invalid_grant' } }],
    ['500', { status: 500, body: 'oops' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['a redirect', { status: 302, body: {} }],
    ['no ID token', { status: 200, body: { access_token: 'a', token_type: 'Bearer', refresh_token: 'r' } }],
    ['a very long response', { status: 200, body: `{"access_token":"${'a'.repeat(400_000)}"}` }],
  ])('connects nothing if the token endpoint responds with %s', async (_title, failure) => {
    provider.failure = failure;
    expect(await reasonOf()).toBe('provider_error');
    expect(await accounts()).toEqual([]);
  });

  it('connects nothing without a refresh token', async () => {
    provider.issuesRefreshTokens = false;
    expect(await reasonOf()).toBe('no_refresh_token');
    expect(await accounts()).toEqual([]);
  });

  it('takes a state once, also if callbacks come at the same time', async () => {
    const { authorization_url: url } = await begin({ redirect_to: `${APPLICATION}/` });
    const callback = await browser.authorize(provider, url);
    const responses = await Promise.all([1, 2, 3].map(() => open(callback)));
    const results = responses.map(({ headers }) => {
      const { searchParams } = new URL(headers.get('location') ?? '');
      return searchParams.get('reason') ?? searchParams.get('status');
    });
    expect(results.sort()).toEqual(['connected', 'used', 'used']);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('takes no state after ten minutes of the workspace', async () => {
    const { authorization_url: url } = await begin({ redirect_to: `${APPLICATION}/` });
    const callback = await browser.authorize(provider, url);
    service.clocks.advance(api.workspaceId, { seconds: 601 });
    const response = await open(callback);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `${APPLICATION}/?status=failed&reason=expired`,
    ]);
    expect(provider.tokenRequests).toEqual([]);
  });

  it('shows a page of 400 for a state that is unknown, or at the other callback, and leaves it good', async () => {
    const { authorization_url: url } = await begin();
    const callback = await browser.authorize(provider, url);
    const other = name === 'google' ? 'microsoft' : 'google';
    const otherCallback = new URL(callback.href.replace(`/oauth/${name}/`, `/oauth/${other}/`));
    for (const wrong of [
      otherCallback,
      new URL(`${callback.origin}${callback.pathname}?code=x&state=unknown`),
      new URL(`${callback.origin}${callback.pathname}`),
    ]) {
      const response = await open(wrong);
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      expect(await response.text()).toContain('This link does not work');
    }
    expect((await open(callback)).status).toBe(200);
  });

  it('returns 404 for another provider', async () => {
    expect((await api.post('/email-accounts/oauth/yahoo', { name: 'M' })).status).toBe(404);
    expect((await fetch(`${service.url}/oauth/yahoo/callback?state=x`)).status).toBe(404);
  });

  it.each([
    'https://evil.example/',
    `${APPLICATION}.evil.example/`,
    `https://user@app.example.com/`,
    'http://app.example.com/',
    '/relative',
    'javascript:alert(1)',
    `${APPLICATION}/${'x'.repeat(2000)}`,
    5,
  ])('returns 422 for redirect_to %#', async (redirect_to) => {
    const { status, body } = await api.post(`/email-accounts/oauth/${name}`, { name: 'M', redirect_to });
    expect([status, Object.keys(body.errors as object)]).toEqual([422, ['redirect_to']]);
  });

  it('returns to PUBLIC_URL without a setting, and names every wrong field', async () => {
    await begin({ redirect_to: 'http://outreach.test/app', from_name: null, daily_limit: null });
    const fields = { from_name: 'a\nb', daily_limit: 0, other: 1 };
    const { status, body } = await api.post(`/email-accounts/oauth/${name}`, fields);
    expect([status, Object.keys(body.errors as object).sort()]).toEqual([
      422,
      ['daily_limit', 'from_name', 'name', 'other'],
    ]);
  });

  it('gives access back when the account is deleted, with the refresh token, whatever the provider says', async () => {
    await api.post('/email-accounts', {
      name: 'M',
      type: 'sendgrid',
      sendgrid_api_key: 'SG.x',
      from_email: 'a@b.example',
      from_name: 'A',
    });
    for (const status of [200, 503]) {
      provider.revocationStatus = status;
      const { id } = await connected();
      const [token] = [...provider.refreshTokens].slice(-1);
      expect((await api.delete(`/email-accounts/${id}`)).status).toBe(204);
      await eventually(() => expect(provider.revoked.at(-1)).toBe(token));
      expect((await api.get(`/email-accounts/${id}`)).status).toBe(404);
    }
    expect(provider.revoked).toHaveLength(2);
  });

  it('stores a bounded number of states of a workspace', async () => {
    await service.database.query(
      `INSERT INTO oauth_states (workspace_id, state_hash, provider, code_verifier_encrypted, nonce_encrypted, name,
         daily_limit, expires_at)
       SELECT $1::bigint, $1::bigint || '-' || n, 'google', 'x', 'x', 'x', 1, now() FROM generate_series(1, 1500) n`,
      [api.workspaceId],
    );
    await begin();
    const [row] = await service.database.query<{ total: string }>(
      'SELECT count(*) AS total FROM oauth_states WHERE workspace_id = $1',
      [api.workspaceId],
    );
    expect(Number(row?.total)).toBe(1000);
  });
});
