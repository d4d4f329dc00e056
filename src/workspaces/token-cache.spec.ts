import type { Log } from '@outreach/logging';
import type { Principal } from '../platform/http/requests/index.js';
import { TokenCache } from './token-cache.js';
import type { TokenLookup } from './tokens.cross-tenant.js';

const TOKEN = `out_${'a'.repeat(43)}`;
const principal: Principal = {
  token_id: 1,
  workspace_id: 2,
  name: 'ci',
  permissions: [],
  expires_at: null,
  is_sandbox: false,
};

describe('TokenCache', () => {
  const lookup = { principal: jest.fn(), touch: jest.fn().mockResolvedValue(undefined) };
  let cache: TokenCache;

  beforeEach(() => {
    jest.useFakeTimers();
    jest.advanceTimersByTime(1); // lru-cache takes the start time 0 as "no time to live".
    jest.clearAllMocks();
    lookup.principal.mockResolvedValue(principal);
    cache = new TokenCache(lookup as unknown as TokenLookup, {} as Log);
  });
  afterEach(() => jest.useRealTimers());

  it('queries the database once for requests within 900 ms', async () => {
    expect(await cache.find(TOKEN)).toBe(principal);
    jest.advanceTimersByTime(899);
    expect(await cache.find(TOKEN)).toBe(principal);
    expect(lookup.principal).toHaveBeenCalledTimes(1);
  });

  it('refuses a revoked token within a second', async () => {
    await cache.find(TOKEN);
    lookup.principal.mockResolvedValue(undefined);
    jest.advanceTimersByTime(1_000);
    expect(await cache.find(TOKEN)).toBe('unknown');
  });

  it('counts the age of an entry from the start of its query', async () => {
    lookup.principal.mockImplementationOnce(async () => {
      jest.advanceTimersByTime(1_000);
      return principal;
    });
    await cache.find(TOKEN);
    lookup.principal.mockResolvedValue(undefined);
    expect(await cache.find(TOKEN)).toBe('unknown');
  });

  it('caches unknown tokens, and never queries malformed ones', async () => {
    lookup.principal.mockResolvedValue(undefined);
    expect(await cache.find(TOKEN)).toBe('unknown');
    expect(await cache.find(TOKEN)).toBe('unknown');
    expect(await cache.find('out_short')).toBe('malformed');
    expect(lookup.principal).toHaveBeenCalledTimes(1);
  });

  it('refuses an expired token while it is cached', async () => {
    lookup.principal.mockResolvedValue({ ...principal, expires_at: new Date(Date.now() + 500) });
    expect(await cache.find(TOKEN)).toMatchObject({ token_id: 1 });
    jest.advanceTimersByTime(500);
    expect(await cache.find(TOKEN)).toBe('expired');
  });

  it('refuses a token immediately after it was revoked in this process, and queries only its workspace again', async () => {
    const other = `out_${'b'.repeat(43)}`;
    await cache.find(TOKEN);
    lookup.principal.mockResolvedValue({ ...principal, token_id: 3, workspace_id: 4 });
    await cache.find(other);
    lookup.principal.mockResolvedValue(undefined);
    cache.removeTokensOf(2);
    expect(await cache.find(TOKEN)).toBe('unknown');
    expect(await cache.find(other)).toMatchObject({ token_id: 3 });
  });

  it('does not cache a token that is revoked while its query runs', async () => {
    lookup.principal.mockImplementationOnce(async () => {
      cache.removeTokensOf(2);
      return principal;
    });
    await cache.find(TOKEN);
    lookup.principal.mockResolvedValue(undefined);
    expect(await cache.find(TOKEN)).toBe('unknown');
  });

  it('writes last_used_at once for many requests', async () => {
    for (let n = 0; n < 3; n += 1) await cache.find(TOKEN);
    jest.advanceTimersByTime(5_000);
    expect(lookup.touch.mock.calls).toEqual([[new Map([[1, expect.any(Date)]])]]);
  });
});
