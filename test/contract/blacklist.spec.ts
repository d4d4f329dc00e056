import { randomBytes } from 'node:crypto';
import { Blacklist, GlobalBlacklist } from '../../src/blacklist/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import { httpError } from '../support/expected.js';
import { useSharedService } from '../support/service.js';

const ruleViolated = httpError(422, 'already_blacklisted');
const notFound = httpError(404);
const addresses = (count: number): string[] => {
  const call = randomBytes(4).toString('hex');
  return Array.from({ length: count }, (_, index) => `${call}-${index}@example.com`);
};

describe('Blacklist', () => {
  const service = useSharedService();
  let api: ApiClient;
  let other: ApiClient;
  beforeEach(async () => {
    api = await service.client();
    other = await service.client();
  });

  const errorFields = async (call: ReturnType<ApiClient['get']>): Promise<string[]> => {
    const { status, body } = await call;
    expect(body).toMatchObject({ error: 'ValidationError', code: 422 });
    expect(status).toBe(422);
    return Object.keys(body.errors);
  };
  const emailsOf = async (client: ApiClient, query = ''): Promise<string[]> =>
    (await client.get(`/blacklist?per_page=100${query}`)).data.map(({ email }: { email: string }) => email);

  describe('POST /blacklist', () => {
    it('returns 201 with the entry, in lower case and with the default reason', async () => {
      const { status, body } = await api.post('/blacklist', { email: '  Ann.Lee@Example.COM ' });
      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          id: expect.any(Number),
          email: 'ann.lee@example.com',
          reason: 'manual',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      });
      expect((await api.get(`/blacklist/${body.data.id}`)).body).toEqual(body);
    });

    it.each(['bounce', 'complaint', 'manual', 'unsubscribe'])('accepts the reason %s', async (reason) => {
      const { status, data } = await api.post('/blacklist', { email: 'ann@example.com', reason });
      expect([status, data.reason]).toEqual([201, reason]);
    });

    it('treats a null reason as absent, and ignores read-only fields', async () => {
      const { status, data } = await api.post('/blacklist', { email: 'ann@example.com', reason: null, id: 1 });
      expect([status, data.reason]).toEqual([201, 'manual']);
    });

    it('returns 422 for an address that the workspace has already added, in any case', async () => {
      expect((await api.post('/blacklist', { email: 'ann@example.com' })).status).toBe(201);
      const again = await api.post('/blacklist', { email: 'ANN@example.com', reason: 'bounce' });
      expect(again.status).toBe(422);
      expect(again.body).toEqual(ruleViolated);
    });

    it('does not reveal that another workspace has added the address', async () => {
      await other.post('/blacklist', { email: 'shared@example.com', reason: 'complaint' });
      const { status, data } = await api.post('/blacklist', { email: 'shared@example.com' });
      expect([status, data.reason]).toEqual([201, 'manual']);
    });

    it('adds the address once for concurrent requests', async () => {
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => api.post('/blacklist', { email: 'race@example.com' })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(422)]);
      expect(await emailsOf(api)).toEqual(['race@example.com']);
    });

    it.each([
      [{}, ['email']],
      [{ email: null }, ['email']],
      [{ email: 7 }, ['email']],
      [{ email: ['ann@example.com'] }, ['email']],
      [{ email: '   ' }, ['email']],
      [{ email: 'ann' }, ['email']],
      [{ email: 'Ann <ann@example.com>' }, ['email']],
      [{ email: 'ann@example.com\nbcc:bob@example.com' }, ['email']],
      [{ email: 'a\0nn@example.com' }, ['email']],
      [{ email: 'ann\ud800@example.com' }, ['email']],
      [{ email: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example.com` }, ['email']],
      [{ email: 'ann@example.com', reason: 'spam' }, ['reason']],
      [{ email: 'ann@example.com', reason: '' }, ['reason']],
      [{ email: 'ann@example.com', reason: 1 }, ['reason']],
      [{ email: 'ann@example.com', reason: ['manual'] }, ['reason']],
      [{ email: 'ann', reason: 'spam' }, ['email', 'reason']],
    ])('returns 422 for %j', async (body, fields) => {
      expect(await errorFields(api.post('/blacklist', body))).toEqual(fields);
      expect(await emailsOf(api)).toEqual([]);
    });
  });

  describe('an address of an internationalized domain', () => {
    const [written, stored] = ['Jo@MÜNCHEN.example', 'jo@xn--mnchen-3ya.example'];
    const international = encodeURIComponent('jo@münchen.example');

    it('is the same in all of its forms, for the blacklist, contacts and email accounts', async () => {
      expect((await api.post('/blacklist', { email: written })).data.email).toBe(stored);
      expect((await api.post('/blacklist', { email: stored })).body).toEqual(ruleViolated);
      const checked = (await api.post('/blacklist/check', { email: written })).data;
      expect(checked).toMatchObject({ email: stored, is_blacklisted: true });
      expect((await api.delete(`/blacklist/${international}`)).status).toBe(204);
      const contact = (await api.post('/contacts', { email: written })).body;
      expect(contact.email).toBe(stored);
      expect((await api.put(`/contacts/by-email/${international}`, { first_name: 'Jo' })).data.id).toBe(contact.id);
      expect((await api.post('/contacts', { email: stored })).status).toBe(409);
      for (const query of [`email=${international}`, `search=${international}`, 'search=%40M%C3%BCnchen.example'])
        expect((await api.get(`/contacts?${query}`)).data).toMatchObject([{ id: contact.id }]);
      const account = { name: 'A', type: 'sendgrid', from_name: 'Jo', sendgrid_api_key: 'SG.key' };
      expect((await api.post('/email-accounts', { ...account, from_email: written })).data.from_email).toBe(stored);
    });

    it('has a part before the @ of ASCII characters only: others are 422 with the reason', async () => {
      const refusal = async (call: ReturnType<ApiClient['post']>) => (await call).body.errors;
      const message = expect.stringContaining('only ASCII characters before the @');
      expect(await refusal(api.post('/contacts', { email: 'jörg@münchen.example' }))).toEqual({ email: [message] });
      expect(await refusal(api.post('/blacklist/check', { email: 'jörg@a.example' }))).toEqual({ email: [message] });
      expect(await refusal(api.post('/blacklist/bulk-create', { emails: ['a@b.example', 'ö@b.example'] }))).toEqual({
        'emails.1': [message],
      });
      const path = `/contacts/by-email/${encodeURIComponent('jörg@a.example')}`;
      expect(await refusal(api.put(path, { first_name: 'J' }))).toEqual({ email: [message] });
    });
  });

  describe('GET /blacklist', () => {
    beforeEach(async () => {
      await api.post('/blacklist', { email: 'b_1@example.com', reason: 'bounce' });
      await api.post('/blacklist', { email: 'bx1@example.org', reason: 'manual' });
      await api.post('/blacklist', { email: 'a@example.com', reason: 'complaint' });
      await other.post('/blacklist', { email: 'theirs@example.com' });
    });

    it('returns the entries of the workspace, newest first, 15 per page', async () => {
      const { status, body } = await api.get('/blacklist');
      expect(status).toBe(200);
      expect(body.data.map(({ email }: { email: string }) => email)).toEqual([
        'a@example.com',
        'bx1@example.org',
        'b_1@example.com',
      ]);
      expect(Object.keys(body.data[0]).sort()).toEqual(['created_at', 'email', 'id', 'reason']);
      expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 3, count: 3 });
      expect(body.links).toMatchObject({ prev: null, next: null });
    });

    it('searches all terms as parts of the address, without treating % and _ as wildcards', async () => {
      expect(await emailsOf(api, '&search=EXAMPLE.com')).toEqual(['a@example.com', 'b_1@example.com']);
      expect(await emailsOf(api, '&search=b_1')).toEqual(['b_1@example.com']);
      expect(await emailsOf(api, '&search=%25')).toEqual([]);
      expect(await emailsOf(api, '&search=org%20bx')).toEqual(['bx1@example.org']);
    });

    it('filters by reason, sorts and paginates', async () => {
      expect(await emailsOf(api, '&reason=bounce')).toEqual(['b_1@example.com']);
      expect(await emailsOf(api, '&reason=unsubscribe')).toEqual([]);
      const ascending = ['a@example.com', 'b_1@example.com', 'bx1@example.org'];
      expect(await emailsOf(api, '&sort=email&direction=asc')).toEqual(ascending);
      expect(await emailsOf(api, '&sort=email')).toEqual([...ascending].reverse());
      expect(await emailsOf(api, '&sort=reason&direction=asc')).toEqual([
        'b_1@example.com',
        'a@example.com',
        'bx1@example.org',
      ]);
      const second = (await api.get('/blacklist?per_page=2&page=2&sort=email')).body;
      expect(second.meta).toEqual({ current_page: 2, last_page: 2, per_page: 2, total: 3, count: 1 });
      expect(second.links.prev).toBe('http://outreach.test/v1/blacklist?per_page=2&sort=email&page=1');
      expect((await api.get('/blacklist?page=9')).body).toMatchObject({ data: [], meta: { total: 3, count: 0 } });
    });

    it.each([
      ['page=0', 'page'],
      ['page=1.5', 'page'],
      ['per_page=101', 'per_page'],
      ['per_page=', 'per_page'],
      ['reason=spam', 'reason'],
      ['reason=', 'reason'],
      ['reason=bounce&reason=manual', 'reason'],
      ['sort=id', 'sort'],
      ['sort=updated_at', 'sort'],
      ['direction=up', 'direction'],
      ['search=a&search=b', 'search'],
      ['search=%00', 'search'],
    ])('returns 422 for ?%s', async (query, field) => {
      expect(await errorFields(api.get(`/blacklist?${query}`))).toEqual([field]);
    });

    it.each(['0', '-1', 'x', '1.0', '99999999999999999999', '9007199254740993', 'a@example.com'])(
      'returns 404 for the entry %s',
      async (id) => {
        const { status, body } = await api.get(`/blacklist/${id}`);
        expect(status).toBe(404);
        expect(body).toEqual(notFound);
      },
    );

    it('returns 404 for entries of other workspaces', async () => {
      const { data } = await other.get('/blacklist');
      expect((await api.get(`/blacklist/${data[0].id}`)).status).toBe(404);
      expect((await api.delete('/blacklist/theirs@example.com')).status).toBe(404);
      expect(await emailsOf(other)).toEqual(['theirs@example.com']);
    });
  });

  it('lists the reasons with their labels', async () => {
    const { status, body } = await api.get('/blacklist/reasons');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { value: 'bounce', label: 'Hard bounce' },
        { value: 'complaint', label: 'Spam complaint' },
        { value: 'manual', label: 'Added manually' },
        { value: 'unsubscribe', label: 'Unsubscribed' },
      ],
    });
  });

  describe('POST /blacklist/check', () => {
    it('returns reason and date only for an entry of the own workspace', async () => {
      const email = 'checked@example.com';
      const unknown = { email, is_blacklisted: false, reason: null, blacklisted_at: null };
      const first = await api.post('/blacklist/check', { email: 'Checked@Example.com' });
      expect(first.status).toBe(200);
      expect(first.body).toEqual({ data: unknown });
      await other.post('/blacklist', { email, reason: 'complaint' });
      expect((await api.post('/blacklist/check', { email })).data).toEqual({ ...unknown, is_blacklisted: true });
      const own = (await api.post('/blacklist', { email, reason: 'bounce' })).data;
      expect((await api.post('/blacklist/check', { email })).data).toEqual({
        email,
        is_blacklisted: true,
        reason: 'bounce',
        blacklisted_at: own.created_at,
      });
    });

    it('returns 422 for a value that is not an address', async () => {
      for (const body of [{}, { email: 'x' }, { email: null }, { email: {} }]) {
        expect(await errorFields(api.post('/blacklist/check', body))).toEqual(['email']);
      }
    });

    it('has a separate quota with its own rate limit headers', async () => {
      const client = await service.client(['blacklist:read']);
      const check = () => client.post('/blacklist/check', { email: 'quota@example.com' });
      const first = await check();
      expect(first.headers.get('x-ratelimit-limit')).toBe('30');
      expect(first.headers.get('x-ratelimit-remaining')).toBe('29');
      const responses = await Promise.all(Array.from({ length: 30 }, check));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(29);
      const refused = responses.find(({ status }) => status === 429);
      expect(refused?.body).toEqual({
        error: 'TooManyRequests',
        message: 'Too Many Attempts.',
        errors: null,
        code: 429,
      });
      expect(refused?.headers.get('x-ratelimit-limit')).toBe('30');
      expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(refused?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      const listing = await client.get('/blacklist');
      expect([listing.status, listing.headers.get('x-ratelimit-limit')]).toEqual([200, '1000000']);
      expect(listing.headers.get('x-ratelimit-remaining')).toBe(String(1_000_000 - 32));
    });
  });

  describe('POST /blacklist/bulk-create', () => {
    it('counts new and existing addresses, also duplicates within the call', async () => {
      await api.post('/blacklist', { email: 'old@example.com', reason: 'bounce' });
      await other.post('/blacklist', { email: 'foreign@example.com' });
      const { status, body } = await api.post('/blacklist/bulk-create', {
        emails: ['NEW@example.com', 'old@example.com', ' new@example.com', 'foreign@example.com', 'new@EXAMPLE.com'],
        reason: 'complaint',
      });
      expect(status).toBe(201);
      expect(body).toEqual({ data: { added: 2, skipped: 3 } });
      const { data } = await api.get('/blacklist?sort=email&direction=asc');
      expect(data.map(({ email, reason }: { email: string; reason: string }) => [email, reason])).toEqual([
        ['foreign@example.com', 'complaint'],
        ['new@example.com', 'complaint'],
        ['old@example.com', 'bounce'],
      ]);
    });

    it('accepts 1,000 addresses, and uses the reason manual by default', async () => {
      const emails = addresses(1000);
      expect((await api.post('/blacklist/bulk-create', { emails })).data).toEqual({ added: 1000, skipped: 0 });
      expect((await api.get('/blacklist?reason=manual')).body.meta.total).toBe(1000);
      expect((await api.post('/blacklist/bulk-create', { emails, reason: null })).data).toEqual({
        added: 0,
        skipped: 1000,
      });
    });

    it('adds nothing if any address is invalid, and names each invalid one', async () => {
      const emails = ['good@example.com', 'bad', null, 5, ['x@example.com'], {}, 'good@example.org', ''];
      expect(await errorFields(api.post('/blacklist/bulk-create', { emails }))).toEqual([
        'emails.1',
        'emails.2',
        'emails.3',
        'emails.4',
        'emails.5',
        'emails.7',
      ]);
      expect(await emailsOf(api)).toEqual([]);
    });

    it('handles concurrent calls with overlapping addresses without a deadlock', async () => {
      const emails = addresses(300);
      const orders = [emails, [...emails].reverse(), emails.slice(100), emails.slice(0, 200).reverse()];
      const responses = await Promise.all(
        [...orders, ...orders].map((each) => api.post('/blacklist/bulk-create', { emails: each })),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
      expect(responses.reduce((sum, { data }) => sum + data.added, 0)).toBe(300);
      const mixed = await Promise.all(
        [...orders, ...orders].map((each, index) =>
          index % 2
            ? api.delete('/blacklist/bulk-delete', { emails: each })
            : api.post('/blacklist/bulk-create', { emails: each }),
        ),
      );
      expect(mixed.map(({ status }) => status)).toEqual([201, 200, 201, 200, 201, 200, 201, 200]);
    });
  });

  describe('DELETE /blacklist/{email}', () => {
    it('deletes only the entry of the own workspace, ignoring case', async () => {
      const email = "o'neil+news@example.com";
      await api.post('/blacklist', { email });
      await other.post('/blacklist', { email });
      const { status, body } = await api.delete(`/blacklist/${encodeURIComponent(email.toUpperCase())}`);
      expect([status, body]).toEqual([204, '']);
      expect(await emailsOf(api)).toEqual([]);
      expect(await emailsOf(other)).toEqual([email]);
      expect((await api.post('/blacklist/check', { email })).data).toMatchObject({
        is_blacklisted: true,
        reason: null,
      });
      expect((await api.delete(`/blacklist/${encodeURIComponent(email)}`)).body).toEqual(notFound);
    });

    it('accepts an encoded slash, and an address without encoding', async () => {
      await api.post('/blacklist', { email: 'a/b@example.com' });
      await api.post('/blacklist', { email: 'a+b@example.com' });
      expect((await api.delete('/blacklist/a%2Fb%40example.com')).status).toBe(204);
      expect((await api.delete('/blacklist/a+b@example.com')).status).toBe(204);
    });

    it('returns 404 for the ID of an entry', async () => {
      const { data } = await api.post('/blacklist', { email: 'ann@example.com' });
      expect((await api.delete(`/blacklist/${data.id}`)).status).toBe(404);
      expect(await emailsOf(api)).toEqual(['ann@example.com']);
    });

    it.each(['nobody@example.com', 'x', '%00', 'a%00b@example.com', '%E2%82'])(
      'returns 404 for %s',
      async (address) => {
        for (const length of [0, 4000]) {
          const { status, body } = await api.delete(`/blacklist/${'a'.repeat(length)}${address}`);
          expect(status).toBe(404);
          expect(body).toEqual(notFound);
        }
      },
    );

    it('is also possible for many addresses by bulk-delete, where duplicates count once', async () => {
      await api.post('/blacklist/bulk-create', { emails: ['a@example.com', 'b@example.com', 'c@example.com'] });
      await other.post('/blacklist', { email: 'd@example.com' });
      const { status, body } = await api.delete('/blacklist/bulk-delete', {
        emails: ['A@example.com', 'b@example.com', 'a@example.com', 'd@example.com', 'e@example.com'],
      });
      expect(status).toBe(200);
      expect(body).toEqual({ data: { deleted: 2, not_found: 3 } });
      expect(await emailsOf(api)).toEqual(['c@example.com']);
      expect(await emailsOf(other)).toEqual(['d@example.com']);
    });
  });

  it.each(['POST bulk-create', 'DELETE bulk-delete'])('%s requires 1 to 1,000 addresses', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const call = (body?: unknown) => api.call(method, `/blacklist/${path}`, body);
    for (const emails of [undefined, null, [], 'a@example.com', 3, { 0: 'a@example.com' }, addresses(1001)]) {
      expect(await errorFields(call({ emails }))).toEqual(['emails']);
    }
    expect(await errorFields(call())).toEqual(['emails']);
    expect(await errorFields(call({ emails: ['a@example.com', 'x'] }))).toEqual(['emails.1']);
    expect(await errorFields(call(['a@example.com']))).toEqual(['body']);
    expect((await call('{"emails":')).status).toBe(400);
    expect((await api.call(method, `/blacklist/${path}`, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await call({ emails: ['a'.repeat(1_100_000)] })).status).toBe(413);
  });

  it('matches fixed path segments before parameters', async () => {
    for (const [method, path, allow] of [
      ['GET', '/blacklist/check', 'POST'],
      ['DELETE', '/blacklist/check', 'POST'],
      ['GET', '/blacklist/bulk-create', 'POST'],
      ['POST', '/blacklist/bulk-delete', 'DELETE'],
      ['DELETE', '/blacklist/reasons', 'GET, HEAD'],
      ['PUT', '/blacklist/1', 'DELETE, GET, HEAD'],
    ] as const) {
      const { status, headers } = await api.call(method, path);
      expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, allow]);
    }
  });

  it('requires blacklist:read and blacklist:write', async () => {
    const reader = await service.client(['blacklist:read']);
    const writer = await service.client(['blacklist:write']);
    const body = { email: 'x', emails: [] };
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/reasons'],
      ['POST', '/check'],
      ['GET', '/1'],
    ] as const) {
      expect((await writer.call(method, `/blacklist${path}`, method === 'POST' ? body : undefined)).status).toBe(403);
    }
    for (const [method, path] of [
      ['POST', ''],
      ['POST', '/bulk-create'],
      ['DELETE', '/bulk-delete'],
      ['DELETE', '/a@example.com'],
    ] as const) {
      const { status, body: response } = await reader.call(method, `/blacklist${path}`, body);
      expect([status, response]).toEqual([403, { error: 'Forbidden', message: expect.any(String) }]);
    }
    expect((await reader.get('/blacklist')).status).toBe(200);
    expect((await writer.post('/blacklist', { email: 'a@example.com' })).status).toBe(201);
  });

  it('provides services for sending that add addresses repeatedly and find those of all workspaces', async () => {
    const blacklist = service.app.get(Blacklist, { strict: false });
    const globalBlacklist = service.app.get(GlobalBlacklist, { strict: false });
    const scope = await service.app.get(Workspaces).scope(api.workspaceId);
    expect(await blacklist.addReported(scope, ['Dead@example.com', 'gone@example.com'], 'bounce')).toBe(2);
    expect(await blacklist.addReported(scope, ['dead@example.com', 'spam@example.com'], 'complaint')).toBe(1);
    expect(await blacklist.addReported(scope, [], 'bounce')).toBe(0);
    await other.post('/blacklist', { email: 'theirs@example.com' });
    const listed = await globalBlacklist.findListed(scope, [
      'dead@example.com',
      'theirs@example.com',
      'free@example.com',
    ]);
    expect([...listed].sort()).toEqual(['dead@example.com', 'theirs@example.com']);
    expect(await globalBlacklist.findListed(scope, [])).toEqual(new Set());
    const { data } = await api.get('/blacklist?search=dead');
    expect(data).toMatchObject([{ email: 'dead@example.com', reason: 'bounce' }]);
  });
});
