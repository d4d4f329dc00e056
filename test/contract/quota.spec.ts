import { QuotaCounters } from '../../src/platform/quota/quota-counters.js';
import { issueToken, Workspaces } from '../../src/workspaces/index.js';
import { ApiClient, parseResponse } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService } from '../support/service.js';
import { endQuotaWindows, redisSettings } from '../support/test-redis.js';

const STORE_TIMEOUT_MS = 20_000;

/** A process would count by itself while its store is slow: it waits longer for it than in production. */
function waitForStore({ app }: TestService): void {
  const store: object = Reflect.get(app.get(QuotaCounters, { strict: false }), 'store');
  if (!('timeoutMs' in store)) throw new Error('The store of the quotas has no timeout.');
  Object.assign(store, { timeoutMs: STORE_TIMEOUT_MS });
}

const quotaHeaders = (headers: Headers) => [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];

describe('the quota of requests', () => {
  let service: TestService;
  /** Two more services on the same database, with a quota of three requests per minute. */
  let strict: TestService;
  let second: TestService;
  beforeAll(async () => {
    service = await startService({ LOG_LEVEL: 'silent' });
    strict = await startService({ RATE_LIMIT_PER_MINUTE: '3' }, service.database);
    second = await startService({ RATE_LIMIT_PER_MINUTE: '3' }, service.database);
    for (const each of [service, strict, second]) waitForStore(each);
  });
  afterAll(async () => {
    await strict.stop();
    await second.stop();
    await service.stop();
  });

  it('counts per token over all routes and processes, and shows the count in every response', async () => {
    const caller = await strict.client(['tokens:read', 'tokens:write']);
    const issued = await caller.post('/tokens', { name: 'other', permissions: ['tokens:read'] });
    expect(quotaHeaders(issued.headers)).toEqual(['3', '2']);
    const onSecond = (path: string) =>
      fetch(`${second.url}/v1${path}`, { headers: { authorization: `Bearer ${caller.token}` } });
    expect(quotaHeaders((await onSecond('/templates')).headers)).toEqual(['3', '1']);
    expect(quotaHeaders((await caller.delete('/tokens/999')).headers)).toEqual(['3', '0']);
    for (const refused of [await parseResponse(await onSecond('/me')), await caller.get('/me')]) {
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({
        error: 'TooManyRequests',
        message: 'Too Many Attempts.',
        errors: null,
        code: 429,
      });
      expect(quotaHeaders(refused.headers)).toEqual(['3', '0']);
      expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    }
    const other = await caller.get('/me', { authorization: `Bearer ${issued.data.token}` });
    expect([other.status, ...quotaHeaders(other.headers)]).toEqual([200, '3', '2']);
  });

  it('counts exactly when many requests arrive at the same time', async () => {
    const caller = await strict.client();
    const responses = await Promise.all(Array.from({ length: 8 }, () => caller.get('/me')));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
  });

  it('starts a new window a minute after the first request', async () => {
    const caller = await strict.client();
    for (let request = 0; request < 4; request++) await caller.get('/me');
    await endQuotaWindows(service.database);
    // For a second, the process refuses further requests without the store.
    await eventually(async () => {
      const fresh = await caller.get('/me');
      expect([fresh.status, ...quotaHeaders(fresh.headers)]).toEqual([200, '3', '2']);
    });
  });

  it('allows all tokens of a workspace together ten times as much', async () => {
    const caller = await strict.client();
    const scope = await strict.app.get(Workspaces).scope(caller.workspaceId);
    const issue = () => issueToken(scope, { name: 'x', permissions: [] });
    const tokens = await Promise.all(Array.from({ length: 10 }, issue));
    const use = ({ token }: { token: string }) => caller.get('/me', { authorization: `Bearer ${token}` });
    for (const remaining of ['2', '1', '0']) {
      const responses = await Promise.all(tokens.map(use));
      expect(responses.map(({ status, headers }) => [status, headers.get('x-ratelimit-remaining')])).toEqual(
        tokens.map(() => [200, remaining]),
      );
    }
    const refused = await use(await issue());
    expect([refused.status, ...quotaHeaders(refused.headers)]).toEqual([429, '3', '0']);
    expect((await (await strict.client()).get('/me')).status).toBe(200);
  });

  it('does not count the refused requests of a token for its workspace', async () => {
    const caller = await strict.client(['tokens:write']);
    const issued = await caller.post('/tokens', { name: 'other', permissions: ['tokens:write'] });
    for (let request = 0; request < 40; request++) await caller.get('/me');
    const other = await caller.get('/me', { authorization: `Bearer ${issued.data.token}` });
    expect([other.status, ...quotaHeaders(other.headers)]).toEqual([200, '3', '2']);
  });

  it('counts in the process while the store fails, then in the store again', async () => {
    const store = redisSettings(service.database).REDIS_URL ? undefined : service.database;
    await store?.query('ALTER TABLE quota_counters RENAME TO quota_counters_away');
    try {
      const caller = await strict.client();
      const statuses = [];
      for (let request = 0; request < 5; request++) statuses.push((await caller.get('/me')).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
    } finally {
      await store?.query('ALTER TABLE quota_counters_away RENAME TO quota_counters');
    }
    // The other process sees the request only if it was counted in the store.
    await eventually(async () => {
      const counted = await strict.client();
      await counted.get('/me');
      const { headers } = await fetch(`${second.url}/v1/me`, { headers: { authorization: `Bearer ${counted.token}` } });
      expect(quotaHeaders(headers)).toEqual(['3', '1']);
    });
  });

  it('counts nothing and sends no quota headers without a token', async () => {
    const { headers } = await strict.client().then((caller) => caller.get('/me', { authorization: '' }));
    expect(quotaHeaders(headers)).toEqual([null, null]);
  });

  it('counts the blacklist check with a second counter and with the general one', async () => {
    const caller = await service.client(['blacklist:read']);
    const check = () => caller.post('/blacklist/check', { email: 'a@example.com' });
    expect(quotaHeaders((await check()).headers)).toEqual(['30', '29']);
    expect(quotaHeaders((await caller.get('/blacklist')).headers)).toEqual(['1000000', '999998']);
    const rest = await Promise.all(Array.from({ length: 30 }, check));
    expect(rest.filter(({ status }) => status === 200)).toHaveLength(29);
    expect((await caller.get('/blacklist')).status).toBe(200);
  });

  it('counts the blacklist checks of all tokens of a workspace together', async () => {
    const caller = await service.client(['blacklist:read', 'tokens:write']);
    const { data } = await caller.post('/tokens', { name: 'other', permissions: ['blacklist:read'] });
    const other = new ApiClient(caller.url, data.token, caller.workspaceId);
    const check = (by: ApiClient) => by.post('/blacklist/check', { email: 'a@example.com' });
    expect(quotaHeaders((await check(caller)).headers)).toEqual(['30', '29']);
    expect(quotaHeaders((await check(other)).headers)).toEqual(['30', '28']);
    const otherWorkspace = await service.client(['blacklist:read']);
    expect(quotaHeaders((await check(otherWorkspace)).headers)).toEqual(['30', '29']);
  });
});
