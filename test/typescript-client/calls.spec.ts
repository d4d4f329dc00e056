import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { startService, useService } from '../support/service.js';
import { endQuotaWindows } from '../support/test-redis.js';
import { loadClient } from './client-package.js';
import { FaultyHttpProxy } from './faulty-http-proxy.js';

const service = useService();
let outreach: any;
let proxy: FaultyHttpProxy;
let token: string;
let client: any;

beforeAll(async () => {
  outreach = await loadClient();
  proxy = await FaultyHttpProxy.start(() => service.url);
});
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.reset();
  ({ token } = await service.client());
  client = outreach.createClient({ baseUrl: `${proxy.url}/`, token });
});

const contacts = async () => (await outreach.unwrap(client.GET('/v1/contacts'))).data;
const keys = () => new Set(proxy.requests.map(({ headers }) => headers['idempotency-key']));

describe('a call', () => {
  it('returns the body, and sends the token', async () => {
    const me = await outreach.unwrap(client.GET('/v1/me'));
    expect(me.data.workspace.name).toBe('Test');
    expect(proxy.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it('that is refused throws an ApiError with the fields of the response', async () => {
    const error = await outreach
      .unwrap(client.POST('/v1/contacts', { body: { email: 'nowhere' } }))
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(outreach.ApiError);
    expect(error).toMatchObject({ status: 422, error: 'ValidationError', errors: { email: [expect.any(String)] } });
    expect(error.requestId).toBe(error.response.headers.get('x-request-id'));
    expect(error.message).toBe('The given data was invalid.');
  });

  it('with a wrong token throws an ApiError with the status 401, at once', async () => {
    const other = outreach.createClient({ baseUrl: proxy.url, token: 'out_wrong' });
    await expect(outreach.unwrap(other.GET('/v1/me'))).rejects.toMatchObject({ status: 401, error: 'Unauthorized' });
    expect(proxy.requests).toHaveLength(1);
  });

  it('returns undefined for a response without a body', async () => {
    const { id } = await outreach.unwrap(client.POST('/v1/contacts', { body: { email: 'ada@acme.example' } }));
    expect(await outreach.unwrap(client.DELETE('/v1/contacts/{id}', { params: { path: { id } } }))).toBeUndefined();
  });

  it('changes a record only if it still has the ETag that was read', async () => {
    const { id } = await outreach.unwrap(client.POST('/v1/contacts', { body: { email: 'ada@acme.example' } }));
    const path = { id };
    const { response } = await client.GET('/v1/contacts/{id}', { params: { path } });
    const header = { 'If-Match': response.headers.get('etag') };
    const rename = (first_name: string) =>
      outreach.unwrap(client.PATCH('/v1/contacts/{id}', { params: { path, header }, body: { first_name } }));
    await rename('Ada');
    await expect(rename('Grace')).rejects.toMatchObject({ status: 412, reason: 'precondition_failed' });
  });
});

describe('a call is sent again', () => {
  it.each(['reset', 'cut-response', { status: 503 }, { status: 502 }] as const)(
    'if a read fails once by %j',
    async (failure) => {
      proxy.failures.push(failure);
      expect(await contacts()).toEqual([]);
      expect(proxy.requests).toHaveLength(2);
    },
  );

  it.each(['reset', 'lose-response', 'cut-response', { status: 503 }] as const)(
    'with the same Idempotency-Key if a POST fails once by %j, and creates one record',
    async (failure) => {
      proxy.failures.push(failure);
      const created = await outreach.unwrap(client.POST('/v1/contacts', { body: { email: 'ada@acme.example' } }));
      expect(keys().size).toBe(1);
      expect(proxy.requests).toHaveLength(2);
      expect(await contacts()).toEqual([expect.objectContaining({ id: created.id })]);
    },
  );

  it('with the key of the caller', async () => {
    proxy.failures.push('lose-response');
    const options = { body: { name: 'VIP' }, headers: { 'Idempotency-Key': 'tag-1' } };
    const created = await outreach.unwrap(client.POST('/v1/tags', options));
    expect([...keys()]).toEqual(['tag-1']);
    expect(await outreach.unwrap(client.POST('/v1/tags', options))).toEqual(created);
  });

  it('with the same bytes if it is a form with a file', async () => {
    proxy.failures.push('lose-response');
    const form = new FormData();
    form.set('file', new Blob(['email\nada@acme.example\n']), 'contacts.csv');
    const { data } = await outreach.unwrap(
      client.POST('/v1/contacts/import', { body: { file: new Blob([]) }, bodySerializer: () => form }),
    );
    expect(data.imported).toBe(1);
    const [first, second] = proxy.requests;
    expect(first?.body.equals(second?.body ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  });

  it('after the seconds of Retry-After', async () => {
    proxy.failures.push({ status: 503, headers: { 'Retry-After': '2' } });
    await contacts();
    const [first, second] = proxy.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_990);
  });

  it('after the date of Retry-After', async () => {
    const date = new Date(Date.now() + 3_000);
    proxy.failures.push({ status: 503, headers: { 'Retry-After': date.toUTCString() } });
    await contacts();
    expect(proxy.requests[1]?.at).toBeGreaterThanOrEqual(Math.floor(date.getTime() / 1000) * 1000);
  });

  it('if no response comes in time', async () => {
    const impatient = outreach.createClient({ baseUrl: proxy.url, token, timeoutMs: 300 });
    proxy.failures.push('silence');
    await outreach.unwrap(impatient.GET('/v1/me'));
    // On a busy machine the second response may come too late, too.
    expect(proxy.requests.length).toBeGreaterThanOrEqual(2);
  });

  it('while the first request with its Idempotency-Key is still running, and creates one record', async () => {
    // Only the first attempt may take too long: a second one would be the last.
    const quick = outreach.createClient({ baseUrl: proxy.url, token, timeoutMs: 3_000, retries: 1 });
    const locks = await BlockingTransaction.begin(service.database, 'LOCK TABLE contacts IN SHARE MODE', []);
    const created = outreach.unwrap(quick.POST('/v1/contacts', { body: { email: 'ada@acme.example' } }));
    await locks.blocks(1);
    await eventually(() => expect(proxy.requests.length).toBeGreaterThan(3));
    await locks.end();
    const { id } = await created;
    expect(await contacts()).toEqual([expect.objectContaining({ id })]);
  });
});

describe('a call is not sent again', () => {
  const tagged = async () => (await outreach.unwrap(client.POST('/v1/tags', { body: { name: 'VIP' } }))).data.id;

  it.each(['PUT', 'PATCH'])('if a %s may have been carried out', async (method) => {
    const params = { path: { id: await tagged() } };
    proxy.requests.length = 0;
    proxy.failures.push({ status: 503 });
    await expect(
      outreach.unwrap(client[method]('/v1/tags/{id}', { params, body: { name: 'Key' } })),
    ).rejects.toMatchObject({
      status: 503,
    });
    proxy.failures.push('lose-response');
    await expect(client[method]('/v1/tags/{id}', { params, body: { name: 'Key' } })).rejects.toThrow('fetch failed');
    expect(proxy.requests).toHaveLength(2);
  });

  it('if it is a POST that takes no Idempotency-Key', async () => {
    proxy.failures.push({ status: 503 });
    const check = client.POST('/v1/blacklist/check', { body: { email: 'ada@acme.example' } });
    await expect(outreach.unwrap(check)).rejects.toMatchObject({ status: 503 });
    expect(proxy.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
  });

  it('more often than `retries`', async () => {
    const twice = outreach.createClient({ baseUrl: proxy.url, token, retries: 1 });
    proxy.failures.push({ status: 503 }, { status: 503 }, { status: 503 });
    await expect(outreach.unwrap(twice.GET('/v1/me'))).rejects.toMatchObject({ status: 503 });
    expect(proxy.requests).toHaveLength(2);
  });

  it('if Retry-After asks for a longer pause than `maxWaitMs`', async () => {
    proxy.failures.push({ status: 503, headers: { 'Retry-After': '3600' } });
    await expect(outreach.unwrap(client.GET('/v1/me'))).rejects.toMatchObject({ status: 503 });
    expect(proxy.requests).toHaveLength(1);
  });

  it('after its signal aborts in a pause', async () => {
    const controller = new AbortController();
    proxy.failures.push({ status: 503, headers: { 'Retry-After': '60' } });
    const call = client.GET('/v1/me', { signal: controller.signal });
    await eventually(() => expect(proxy.requests).toHaveLength(1));
    controller.abort(new Error('The user has left.'));
    await expect(call).rejects.toThrow('The user has left.');
  });

  it('after its signal aborts during an attempt', async () => {
    const controller = new AbortController();
    proxy.failures.push('silence');
    const call = client.GET('/v1/me', { signal: controller.signal });
    await eventually(() => expect(proxy.requests).toHaveLength(1));
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(proxy.requests).toHaveLength(1);
  });
});

describe('a call over the quota', () => {
  it('is sent again when the quota allows it, also a PUT, and otherwise throws an ApiError', async () => {
    const strict = await startService({ RATE_LIMIT_PER_MINUTE: '2' }, service.database);
    const before = await FaultyHttpProxy.start(() => strict.url);
    try {
      const { token: limited } = await service.client();
      const settings = { baseUrl: before.url, token: limited };
      const brief = outreach.createClient({ ...settings, maxWaitMs: 100 });
      const { data } = await outreach.unwrap(brief.POST('/v1/tags', { body: { name: 'VIP' } }));
      await outreach.unwrap(brief.GET('/v1/me'));
      await expect(outreach.unwrap(brief.GET('/v1/me'))).rejects.toMatchObject({
        status: 429,
        error: 'TooManyRequests',
      });
      before.reset();
      before.responseHeaders = { 'retry-after': '1' };
      const params = { path: { id: data.id } };
      const update = outreach.createClient(settings).PUT('/v1/tags/{id}', { params, body: { name: 'Key' } });
      await eventually(() => expect(before.requests).toHaveLength(1));
      await endQuotaWindows(service.database);
      expect((await outreach.unwrap(update)).data.name).toBe('Key');
      expect(before.requests.length).toBeGreaterThan(1);
    } finally {
      await before.stop();
      await strict.stop();
    }
  });
});
