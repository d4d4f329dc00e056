import { DEFAULT_LIMITS } from '../../src/platform/limits/index.js';
import { useSharedService } from '../support/service.js';

describe('Authentication', () => {
  const service = useSharedService();

  it('returns the workspace and the token of the caller from GET /me', async () => {
    const api = await service.client(['contacts:read']);
    const { status, data, headers } = await api.get('/me');
    expect(status).toBe(200);
    expect(data).toEqual({
      workspace: { id: api.workspaceId, name: 'Test', is_sandbox: false },
      token: { id: expect.any(Number), name: 'test', permissions: ['contacts:read'], expires_at: null },
      limits: DEFAULT_LIMITS,
    });
    expect(headers.get('x-api-version')).toBe('1.0');
    expect(headers.get('x-ratelimit-limit')).toBe('1000000');
  });

  it('returns is_sandbox in GET /me of a sandbox workspace', async () => {
    const { data } = await (await service.sandbox()).get('/me');
    expect(data.workspace).toMatchObject({ is_sandbox: true });
  });

  it('returns 401 with only `error` and `message` for an unknown token', async () => {
    const { status, body } = await (await service.client()).get('/me', { authorization: 'Bearer out_nothing' });
    expect(status).toBe(401);
    expect(body).toEqual({ error: 'Unauthorized', message: expect.any(String) });
  });

  it.each([
    ['there is no header', '', 'is missing'],
    ['it is not of the scheme Bearer', 'Basic YTpi', 'must be "Bearer", a space and a token'],
    ['there is no token in it', 'Bearer', 'must be "Bearer", a space and a token'],
    ['it contains no token of this form', 'Bearer secret', 'is not a token'],
    ['no workspace has the token', `Bearer out_${'a'.repeat(43)}`, 'is unknown'],
  ])('says in the message of a 401 that %s', async (_case, authorization, message) => {
    const { status, body } = await (await service.client()).get('/me', { authorization });
    expect([status, body.message]).toEqual([401, expect.stringContaining(message)]);
  });

  it('says in the message of a 401 that the token has expired, and of a revoked one that it is unknown', async () => {
    const api = await service.client();
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const issue = (name: string) =>
      api.post('/tokens', { name, permissions: ['contacts:read'], expires_at: inTwoDays });
    const [expired, revoked] = [(await issue('expired')).data, (await issue('revoked')).data];
    await service.database.query('UPDATE api_tokens SET expires_at = $1 WHERE id = $2', [new Date(0), expired.id]);
    await api.delete(`/tokens/${revoked.id}`);
    const messageFor = async (token: string) =>
      (await api.get('/me', { authorization: `Bearer ${token}` })).body.message;
    expect(await messageFor(expired.token)).toBe('The token has expired.');
    expect(await messageFor(revoked.token)).toMatch('is unknown');
  });

  it('returns 403 with only `error` and `message` if the token lacks the permission', async () => {
    const { status, body } = await (await service.client(['contacts:read'])).get('/tokens');
    expect(status).toBe(403);
    expect(body).toEqual({ error: 'Forbidden', message: expect.any(String) });
  });

  it('creates, lists and revokes tokens', async () => {
    const api = await service.client();
    const issued = await api.post('/tokens', { name: 'ci', permissions: ['contacts:read'] });
    expect(issued.status).toBe(201);
    expect(issued.data.token).toMatch(/^out_[\w-]{40,}$/);
    const refused = await api.post('/tokens', { name: '', permissions: ['contacts:read', 'everything'] });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors).sort()).toEqual(['name', 'permissions.1']);
    const list = await api.get('/tokens?per_page=1&search=ci');
    expect(list.body).toMatchObject({ meta: { total: 1, last_page: 1, count: 1, per_page: 1, current_page: 1 } });
    expect(list.body.links.first).toBe('http://outreach.test/v1/tokens?per_page=1&search=ci&page=1');
    expect((await api.delete(`/tokens/${issued.data.id}`)).status).toBe(204);
    expect((await api.delete(`/tokens/${issued.data.id}`)).status).toBe(404);
  });

  it('returns 404 for an unknown path and 405 for a wrong method before it checks the token', async () => {
    const api = await service.client();
    expect((await api.get('/nothing', { authorization: '' })).status).toBe(404);
    const wrong = await api.put('/me', {}, { authorization: '' });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('GET, HEAD');
  });

  it('replays the first response for an idempotency key', async () => {
    const api = await service.client();
    const body = { name: 'once', permissions: ['contacts:read'] };
    const first = await api.post('/tokens', body, { 'idempotency-key': 'k1' });
    const again = await api.post('/tokens', body, { 'idempotency-key': 'k1' });
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await api.post('/tokens', { ...body, name: 'other' }, { 'idempotency-key': 'k1' })).status).toBe(409);
  });
});
