import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService, useSharedService } from '../support/service.js';
import { issueToken, Workspaces } from '../../src/workspaces/index.js';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe('API tokens', () => {
  const service = useSharedService();

  const permissions = ['tokens:read', 'tokens:write', 'contacts:read'];
  const statusOf = async (api: ApiClient): Promise<number> => (await api.get('/me')).status;

  /** Creates a token by a request of `api`. */
  async function issue(api: ApiClient, fields: object = {}): Promise<{ id: number; as: ApiClient }> {
    const { status, data } = await api.post('/tokens', { name: 'ci', permissions, ...fields });
    expect(status).toBe(201);
    return { id: data.id, as: new ApiClient(api.url, data.token, api.workspaceId) };
  }

  describe('POST /tokens', () => {
    it.each([
      '2027-02-30T00:00:00Z',
      '2027-13-01T00:00:00Z',
      '2099-01-01T25:00:00Z',
      '2099-01-01T00:00:00+99:00',
      '2020-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '2099-01-01',
      '',
      4_102_444_800_000,
      true,
      [],
    ])('refuses the expiry %j', async (expires_at) => {
      const { status, body } = await (await service.client()).post('/tokens', { name: 'ci', permissions, expires_at });
      expect(status).toBe(422);
      expect(body.errors).toEqual({ expires_at: [expect.any(String)] });
    });

    it('accepts an expiry with an offset, and no expiry if the token of the caller does not expire', async () => {
      const api = await service.client();
      const { data } = await api.post('/tokens', { name: 'x', permissions, expires_at: '2096-02-29T01:00:00.5+02:00' });
      expect(data.expires_at).toBe('2096-02-28T23:00:00.500Z');
      for (const none of [{}, { expires_at: null }]) {
        expect((await api.post('/tokens', { name: 'x', permissions, ...none })).data.expires_at).toBeNull();
      }
    });

    it('refuses a token that is valid for longer than that of the caller, and names all errors', async () => {
      const expiry = inDays(2);
      const { as } = await issue(await service.client(), { expires_at: expiry });
      for (const later of [{}, { expires_at: null }, { expires_at: inDays(3) }]) {
        const { status, body } = await as.post('/tokens', { name: 'x', permissions, ...later });
        expect([status, Object.keys(body.errors)]).toEqual([422, ['expires_at']]);
      }
      const { body } = await as.post('/tokens', { name: 'x', permissions: ['contacts:read', 'contacts:write'] });
      expect(Object.keys(body.errors)).toEqual(['permissions.1', 'expires_at']);
      for (const accepted of [expiry, inDays(1)]) await issue(as, { expires_at: accepted });
    });
  });

  describe('DELETE /tokens/{id}', () => {
    it('returns 403 if the token has a permission that the caller lacks', async () => {
      const owner = await service.client();
      const { id, as } = await issue(owner, { permissions: [...permissions, 'contacts:write'] });
      const { as: lesser } = await issue(owner);
      const { status, body } = await lesser.delete(`/tokens/${id}`);
      expect(status).toBe(403);
      expect(body).toEqual({
        error: 'Forbidden',
        message: expect.stringContaining('contacts:write'),
        errors: null,
        code: 403,
        reason: 'permissions_exceeded',
      });
      expect(await statusOf(as)).toBe(200);
    });

    it('ends the token immediately, and the tokens that it created, directly or through others', async () => {
      const owner = await service.client();
      const child = await issue(owner);
      const grandchild = await issue(child.as);
      const descendant = await issue(grandchild.as, { permissions: ['contacts:read'] });
      const sibling = await issue(owner);
      const ended = [child, grandchild, descendant];
      for (const { as } of ended) expect(await statusOf(as)).toBe(200);
      expect((await owner.delete(`/tokens/${child.id}`)).status).toBe(204);
      for (const { as } of ended) expect(await statusOf(as)).toBe(401);
      expect(await statusOf(sibling.as)).toBe(200);
      expect((await owner.get('/tokens')).data.map(({ id }: { id: number }) => id)).not.toContain(descendant.id);
      expect((await owner.delete(`/tokens/${grandchild.id}`)).status).toBe(404);
    });

    it('ends the token of the caller', async () => {
      const { id, as } = await issue(await service.client());
      expect((await as.delete(`/tokens/${id}`)).status).toBe(204);
      expect(await statusOf(as)).toBe(401);
    });
  });

  it('a token that the command line created remains when another one is revoked', async () => {
    const owner = await service.client();
    const scope = await service.app.get(Workspaces).scope(owner.workspaceId);
    const issued = await issueToken(scope, { name: 'x', permissions: ['tokens:read'] });
    const { id } = await issue(owner);
    expect((await owner.delete(`/tokens/${id}`)).status).toBe(204);
    expect(await statusOf(new ApiClient(owner.url, issued.token, owner.workspaceId))).toBe(200);
  });

  describe('in two processes', () => {
    let other: TestService;
    beforeAll(async () => {
      other = await startService({}, service.database);
    });
    afterAll(() => other.stop());

    it('a revoked token stops working in the other one too', async () => {
      const owner = await service.client();
      const { id, as } = await issue(owner);
      const otherProcess = new ApiClient(other.url, as.token, owner.workspaceId);
      expect(await statusOf(otherProcess)).toBe(200);
      await owner.delete(`/tokens/${id}`);
      await eventually(async () => expect(await statusOf(otherProcess)).toBe(401));
    });
  });
});
