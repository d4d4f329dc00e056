import { randomUUID } from 'node:crypto';
import { ProviderUnavailable } from '@outreach/mail-sessions';
import {
  AccessTokens,
  ConsentRevoked,
  CredentialsUnusable,
  ImapSessions,
  Mailboxes,
  type SmtpMailbox,
  SmtpSessions,
} from '../../src/email-accounts/index.js';
import { openWithToken } from '../../src/email-accounts/oauth/open-with-token.js';
import { Database } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { givenConnectedAccount } from '../support/given-connected-account.js';
import { OpenidProvider } from '../support/openid-provider.js';
import { ServiceProcess } from '../support/service-process.js';
import { startService, type TestService } from '../support/service.js';

/** Less than five minutes, so that the token is refreshed. */
const OLD_SECONDS = 290;
/** More than five minutes, however long a test takes. */
const NEW_SECONDS = 900;
/** The time for a session, of which a slow machine, too, has not used everything. */
const SESSION_MS = 3_600_000;

describe('the access token of an account', () => {
  let provider: OpenidProvider;
  /** Two processes. */
  let service: TestService;
  let other: TestService;
  const others: TestService[] = [];
  let api: ApiClient;
  beforeAll(async () => {
    provider = await OpenidProvider.start();
    service = await startService(provider.settings);
    other = await startService(provider.settings, service.database);
  });
  afterAll(async () => {
    for (const each of others) await each.stop();
    await other.stop();
    await service.stop();
    await provider.stop();
  });
  beforeEach(async () => {
    api = await service.client();
    Object.assign(provider, { failure: undefined, rotates: false });
    provider.tokenRequests.length = 0;
  });

  /** A process that has not read the endpoints of the provider yet. */
  const another = async (settings: Record<string, string>): Promise<TestService> => {
    const started = await startService(settings, service.database);
    others.push(started);
    return started;
  };
  const scopeIn = (process: TestService) => WorkspaceScope.open(api.workspaceId, process.app.get(Database));
  const get = async (id: number, process = service) => process.app.get(AccessTokens).get(await scopeIn(process), id);
  const replace = async (id: number, refused: string, process = service) =>
    process.app.get(AccessTokens).replace(await scopeIn(process), id, refused);
  const account = async (seconds: number, tokens = provider.issue(), address = 'anna@mail.example'): Promise<number> =>
    (await givenConnectedAccount(service, api, { ...tokens, seconds, address })).id;
  const stateOf = async (id: number) => {
    const [row] = await service.database.query<Record<string, unknown>>(
      `SELECT is_active, disabled_reason, disabled_at IS NOT NULL AS has_time, refresh_lease_until
       FROM email_accounts account JOIN oauth_grants stored USING (workspace_id)
       WHERE stored.email_account_id = account.id AND account.id = $1`,
      [id],
    );
    return row;
  };
  const expire = (id: number) =>
    service.database.query('UPDATE oauth_grants SET access_token_expires_at = now() WHERE email_account_id = $1', [id]);

  it('is returned as long as it is valid for more than five minutes', async () => {
    const tokens = provider.issue();
    expect(await get(await account(NEW_SECONDS, tokens))).toBe(tokens.access_token);
    expect(provider.refreshes).toEqual([]);
  });

  it('is refreshed five minutes before it expires, and then stored', async () => {
    const tokens = provider.issue();
    const id = await account(OLD_SECONDS, tokens);
    const refreshed = await get(id);
    expect(refreshed).not.toBe(tokens.access_token);
    expect(await get(id, other)).toBe(refreshed);
    expect(provider.refreshes.map(({ form }) => form.refresh_token)).toEqual([tokens.refresh_token]);
  });

  it('is refreshed with the new refresh token if the provider has replaced it', async () => {
    provider.rotates = true;
    const id = await account(OLD_SECONDS);
    await get(id);
    await expire(id);
    const third = await get(id);
    expect(third).toBe(provider.accessTokens.at(-1));
    const sent = provider.refreshes.map(({ form }) => form.refresh_token);
    expect(new Set(sent).size).toBe(2);
  });

  it('is refreshed once by many callers in two processes', async () => {
    provider.rotates = true;
    const id = await account(0);
    const release = provider.holdTokens();
    const callers = [service, other].flatMap((process) => [1, 2, 3].map(() => get(id, process)));
    await eventually(() => expect(provider.refreshes).toHaveLength(1));
    release();
    expect(new Set(await Promise.all(callers)).size).toBe(1);
    expect(provider.refreshes).toHaveLength(1);
  });

  it('is used until it expires while the provider cannot refresh it', async () => {
    const tokens = provider.issue();
    const id = await account(OLD_SECONDS, tokens);
    provider.failure = { status: 503, body: {} };
    expect(await get(id)).toBe(tokens.access_token);
    await expire(id);
    await expect(get(id)).rejects.toThrow(ProviderUnavailable);
    expect(await stateOf(id)).toMatchObject({ is_active: true });
  });

  it('is used by the others while one process refreshes it', async () => {
    const tokens = provider.issue();
    const id = await account(OLD_SECONDS, tokens);
    const release = provider.holdTokens();
    const refreshing = get(id);
    await eventually(() => expect(provider.refreshes).toHaveLength(1));
    expect(await get(id, other)).toBe(tokens.access_token);
    release();
    expect(await refreshing).toBe(provider.accessTokens.at(-1));
  });

  it('is refreshed by another process when the lease of one that has died expires', async () => {
    const id = await account(0);
    await service.database.query(
      `UPDATE oauth_grants SET refresh_leased_by = $2, refresh_lease_until = now() + interval '2 seconds'
       WHERE email_account_id = $1`,
      [id, randomUUID()],
    );
    expect(await get(id)).toBe(provider.accessTokens.at(-1));
  });

  it('is refreshed by another process if one was killed during its refresh', async () => {
    const id = await account(0);
    const killed = await ServiceProcess.startApi(service, provider.settings);
    const release = provider.holdTokens();
    const tested = new ApiClient(killed.url, api.token, api.workspaceId).post(`/email-accounts/${id}/test`);
    const ended = expect(tested).rejects.toThrow();
    await eventually(() => expect(provider.refreshes).toHaveLength(1));
    await killed.kill();
    await ended;
    release();
    expect((await stateOf(id))?.refresh_lease_until).toBeInstanceOf(Date);
    await service.database.query('UPDATE oauth_grants SET refresh_lease_until = now() WHERE email_account_id = $1', [
      id,
    ]);
    expect(await get(id)).toBe(provider.accessTokens.at(-1));
    expect(provider.refreshes).toHaveLength(2);
  });

  it('is not leased while the endpoints of the provider are read, so that the lease is longer than the request', async () => {
    // Knows the endpoints.
    await get(await account(0, provider.issue(), 'ben@mail.example'), other);
    provider.tokenRequests.length = 0;
    const id = await account(0);
    const started = await another(provider.settings);
    const { discoveries } = provider;
    const release = provider.holdDiscoveries();
    const refreshing = get(id, started);
    await eventually(() => expect(provider.discoveries).toBe(discoveries + 1));
    expect(await stateOf(id)).toMatchObject({ refresh_lease_until: null });
    const refreshed = await get(id, other);
    release();
    expect(await refreshing).toBe(refreshed);
    expect(provider.refreshes).toHaveLength(1);
  });

  it('is used until it expires if the endpoints of the provider cannot be read', async () => {
    const tokens = provider.issue();
    const id = await account(OLD_SECONDS, tokens);
    const started = await another({ ...provider.settings, GOOGLE_ISSUER: 'http://127.0.0.1:1' });
    expect(await get(id, started)).toBe(tokens.access_token);
    await expire(id);
    await expect(get(id, started)).rejects.toThrow(ProviderUnavailable);
  });

  describe('opens a session', () => {
    const open = async (id: number, attempts: (number | undefined)[], timeoutMs?: number) =>
      openWithToken(
        service.app.get(AccessTokens),
        { scope: await scopeIn(service), account_id: id },
        {
          open: (token, remainingMs) => {
            attempts.push(remainingMs);
            return attempts.length === 1 ? Promise.reject(new Error('refused')) : Promise.resolve(token);
          },
          isRefusal: () => true,
        },
        timeoutMs,
      );

    it('with a second token in what is left of the time for everything', async () => {
      const attempts: number[] = [];
      expect(await open(await account(3600), attempts, SESSION_MS)).toBe(provider.accessTokens.at(-1));
      const [first = 0, second = 0] = attempts;
      expect(first).toBeLessThan(SESSION_MS);
      expect(second).toBeGreaterThan(0);
      expect(second).toBeLessThan(first);
    });

    it('with the limits of its parts if there is none for everything', async () => {
      const attempts: (number | undefined)[] = [];
      await open(await account(3600), attempts);
      expect(attempts).toEqual([undefined, undefined]);
    });

    it('of SMTP and of IMAP only if its token is refreshed within the time', async () => {
      const id = await account(0);
      const mailbox = await service.app.get(Mailboxes).find(await scopeIn(service), id);
      if (mailbox?.credentials.type !== 'google') throw new Error('The account is of Google.');
      const release = provider.holdTokens();
      const limits = { timeoutMs: 100 };
      const sessions = [
        service.app.get(SmtpSessions).open(await scopeIn(service), mailbox.credentials as SmtpMailbox, limits),
        service.app.get(ImapSessions).open(await scopeIn(service), mailbox, limits),
      ];
      const refused = { reason: { message: 'The access token was not refreshed in time.' } };
      expect(await Promise.allSettled<unknown>(sessions)).toMatchObject([refused, refused]);
      release();
      await eventually(async () => expect(await get(id)).toBe(provider.accessTokens.at(-1)));
    });
  });

  it('makes the account inactive if the consent was withdrawn', async () => {
    const id = await account(0, { access_token: 'old', refresh_token: 'void' });
    await expect(get(id)).rejects.toThrow(ConsentRevoked);
    const off = { is_active: false, disabled_reason: 'consent_withdrawn', has_time: true, refresh_lease_until: null };
    expect(await stateOf(id)).toEqual(off);
    await api.put(`/email-accounts/${id}`, { is_active: true });
    expect(await stateOf(id)).toEqual({ ...off, is_active: true, disabled_reason: null, has_time: false });
  });

  it.each([
    ['500', { status: 500, body: 'oops' }],
    ['503 and invalid_grant', { status: 503, body: { error: 'invalid_grant' } }],
    ['invalid_client', { status: 401, body: { error: 'invalid_client' } }],
    ['429', { status: 429, body: { error: 'slow_down' } }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['a token with control characters', { status: 200, body: { access_token: 'a\u0001b', token_type: 'Bearer' } }],
  ])('stays the old one after %s, and the account stays active', async (_title, failure) => {
    const id = await account(0);
    provider.failure = failure;
    await expect(get(id)).rejects.toThrow(ProviderUnavailable);
    expect(await stateOf(id)).toMatchObject({ is_active: true, disabled_reason: null, refresh_lease_until: null });
    provider.failure = undefined;
    expect(await get(id)).toBe(provider.accessTokens.at(-1));
  });

  it('is replaced once if a mail server refuses it, however many callers report that', async () => {
    const tokens = provider.issue();
    const id = await account(3600, tokens);
    const replaced = await Promise.all([service, other, service].map((each) => replace(id, tokens.access_token, each)));
    expect(new Set(replaced)).toEqual(new Set([provider.accessTokens.at(-1)]));
    expect(await replace(id, tokens.access_token)).toBe(replaced[0]);
    expect(provider.refreshes).toHaveLength(1);
  });

  it('is that of a new connection if the mailbox was connected while it was refreshed', async () => {
    const id = await account(0, { access_token: 'old', refresh_token: 'void' });
    const release = provider.holdTokens();
    const refreshing = get(id);
    await eventually(() => expect(provider.refreshes).toHaveLength(1));
    const otherAddress = await account(3600, { access_token: 'new', refresh_token: 'also-void' }, 'ben@mail.example');
    await service.database.query(
      `UPDATE oauth_grants stored SET generation = stored.generation + 1, access_token_expires_at = now() + interval '1 hour'
       WHERE email_account_id = $1`,
      [id],
    );
    release();
    expect(await refreshing).toBe('old');
    expect(otherAddress).not.toBe(id);
    expect(await stateOf(id)).toMatchObject({ is_active: true });
  });

  it('is not given up while the database is not available after a refresh', async () => {
    provider.rotates = true;
    const id = await account(0);
    const release = provider.holdTokens();
    const refreshing = get(id);
    await eventually(() => expect(provider.refreshes).toHaveLength(1));
    const lock = await BlockingTransaction.begin(
      service.database,
      'SELECT FROM oauth_grants WHERE workspace_id = $1 AND email_account_id = $2 FOR UPDATE',
      [api.workspaceId, id],
    );
    release();
    await lock.blocks(1);
    await service.database.disconnectAll();
    await lock.end();
    expect(await refreshing).toBe(provider.accessTokens.at(-1));
    await expire(id);
    expect(await get(id, other)).toBe(provider.accessTokens.at(-1));
  });

  it('does not exist without a connection', async () => {
    const [row] = await service.database.query<{ id: string }>(
      `INSERT INTO email_accounts (workspace_id, name, type, from_email, from_name)
       VALUES ($1, 'M', 'google', 'a@b.example', 'A') RETURNING id`,
      [api.workspaceId],
    );
    await expect(get(Number(row?.id))).rejects.toThrow(CredentialsUnusable);
  });
});
