import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpError, validationError } from '../support/expected.js';
import { parseResponse, ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { startService, type TestService } from '../support/service.js';

const TEMPLATE = { name: 'Hello', subject: 'Hi', body: '<p>Hi</p>' };
const envelope = (code: number, error = 'HttpError') => ({ error, message: expect.any(String), errors: null, code });
const bareRefusal = (error: string) => ({ error, message: expect.any(String) });
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Returns the raw response to a request that `fetch` would not send. */
const raw = (service: TestService, head: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.end(`${head}\r\n\r\n`));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('end', () => resolve(text)).on('error', reject);
  });

describe('the request pipeline', () => {
  let service: TestService;
  /** Another service on the same database, with a quota of three requests per minute. */
  let strict: TestService;
  let api: ApiClient;
  beforeAll(async () => {
    service = await startService({ LOG_LEVEL: 'silent' });
    strict = await startService({ RATE_LIMIT_PER_MINUTE: '3' }, service.database);
    api = await service.client();
  });
  afterAll(async () => {
    await strict.stop();
    await service.stop();
  });

  describe('in order', () => {
    it('checks path and method before the token', async () => {
      const anonymous = { authorization: '' };
      expect(await api.get('/nowhere', anonymous)).toMatchObject({ status: 404, body: envelope(404) });
      expect(await api.put('/tokens', {}, anonymous)).toMatchObject({ status: 405, body: envelope(405) });
    });

    it('checks the token before the permission, and both before record and body', async () => {
      const reader = await service.client(['contacts:read']);
      expect((await api.put('/templates/999', { name: 7 }, { authorization: '' })).status).toBe(401);
      expect(await reader.put('/templates/999', { name: 7 })).toMatchObject({
        status: 403,
        body: bareRefusal('Forbidden'),
      });
      expect(await api.put('/templates/999', { name: 7 })).toMatchObject({ status: 404, body: envelope(404) });
      const { data } = await api.post('/templates', TEMPLATE);
      expect((await api.put(`/templates/${data.id}`, { name: 7 })).body).toEqual(validationError('name'));
    });

    it('checks the quota before the permission', async () => {
      const reader = await strict.client(['contacts:read']);
      for (const status of [403, 403, 403, 429]) expect((await reader.get('/templates')).status).toBe(status);
    });
  });

  describe('for paths and methods', () => {
    it('returns 400 in the envelope for bytes that are not HTTP', async () => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.end(Buffer.from('GET /v1/contacts?search=zo\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n', 'utf8'));
      const response = await text(socket);
      expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toEqual(envelope(400));
    });

    it.each([
      ['without Host', 'GET /v1/me HTTP/1.1', 400],
      ['with an unknown Expect', 'POST /v1/templates HTTP/1.1\r\nHost: x\r\nExpect: a-miracle', 417],
      ['with CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443', 404],
    ])('refuses a request %s in the envelope and closes the connection', async (_case, head, status) => {
      const [headers, body] = (await raw(service, head)).split('\r\n\r\n');
      expect(headers).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nConnection: close`, 'i'));
      expect(headers).toMatch(/\r\nX-Request-Id: /i);
      expect(headers).toMatch(/\r\nCache-Control: no-store/i);
      expect(JSON.parse(body ?? '')).toEqual(envelope(status));
    });

    it('accepts a request of HTTP/1.0 without Host', async () => {
      expect(await raw(service, 'GET /health/live HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /);
    });

    it('closes the connection of CONNECT although the client does not', async () => {
      const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true });
      socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
      const response = text(socket);
      expect(await response).toMatch(/^HTTP\/1\.1 404 /);
      socket.end();
    });

    it('forbids caches and guessing of the media type for every response under /v1, and only there', async () => {
      const protection = ({ headers }: { headers: Headers }) => [
        headers.get('cache-control'),
        headers.get('x-content-type-options'),
      ];
      const responses = [
        await api.get('/me'),
        await api.get('/nothing'),
        await api.put('/me', {}),
        await api.get('/me', { authorization: '' }),
        await api.post('/templates', '{'),
        await api.post('/templates', {}),
        await api.get('/contacts/export'),
        await api.call('OPTIONS', '/me'),
      ];
      expect(responses.map(({ status }) => status)).toEqual([200, 404, 405, 401, 400, 422, 200, 204]);
      for (const response of responses) expect(protection(response)).toEqual(['no-store', 'nosniff']);
      expect(protection(await fetch(`${service.url}/health/live`))).toEqual([null, null]);
    });

    it.each(['/v1', '/', '/v2/me', '/v1/ME', '/v1/me/more', '/v1/templates/1/nothing', '/v1/templates/%E0%A4%A'])(
      'returns 404 in the envelope for %s',
      async (path) => {
        const response = await parseResponse(await fetch(service.url + path));
        expect(response).toMatchObject({ status: 404, body: envelope(404) });
        expect(Object.keys(response.body).sort()).toEqual(['code', 'error', 'errors', 'message']);
      },
    );

    it('names a similar path in the message of a 404, and the methods in that of a 405', async () => {
      expect((await api.post('/contact', {})).body.message).toBe(
        'The path does not exist. Did you mean POST /v1/contacts?',
      );
      expect((await api.get('/<script>')).body.message).toBe('The path does not exist.');
      expect((await api.put('/me', {})).body.message).toBe(
        'The method is not allowed for this path. It has GET, HEAD.',
      );
    });

    it('returns a page for an unknown path to browsers, and JSON to programs', async () => {
      const open = (path: string, accept: string) => fetch(service.url + path, { headers: { accept } });
      const page = await open('/v1/contact/<b>', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
      expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
        404,
        'text/html; charset=utf-8',
        'Accept',
      ]);
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      const html = await page.text();
      expect(html).toContain('Did you mean <code>GET /v1/contacts/{id}</code>?');
      expect(html).toContain('href="../../docs"');
      expect(html).not.toContain('<b>');
      for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'image/png']) {
        const response = await open('/v1/contact', accept);
        expect([response.status, response.headers.get('vary')]).toEqual([404, 'Accept']);
        expect(await response.json()).toEqual(envelope(404));
      }
    });

    it.each([
      ['PUT', '/v1/me', 'GET, HEAD'],
      ['POST', '/v1/templates/1', 'DELETE, GET, HEAD, PATCH, PUT'],
      ['DELETE', '/v1/templates', 'GET, HEAD, POST'],
      ['GET', '/v1/blacklist/check', 'POST'],
      ['POST', '/openapi.json', 'GET, HEAD'],
    ])('returns 405 for %s %s', async (method, path, allow) => {
      const response = await parseResponse(await fetch(service.url + path, { method }));
      expect(response).toMatchObject({ status: 405, body: envelope(405) });
      expect(response.headers.get('allow')).toBe(allow);
    });

    it('returns the allowed methods for OPTIONS, and the headers of GET for HEAD', async () => {
      const options = await api.call('OPTIONS', '/templates');
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST']);
      const head = await api.call('HEAD', '/me');
      expect([head.status, head.body]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toContain('application/json');
    });

    it('ignores a slash at the end of the path', async () => {
      expect((await api.get('/me/')).status).toBe(200);
      expect((await api.get('/templates/?per_page=1')).body.links.first).toMatch(/\/v1\/templates\/\?/);
    });

    it.each([
      '0',
      '-1',
      '1.5',
      '01',
      '1e3',
      'abc',
      '%00',
      '9007199254740991',
      '9007199254740992',
      '9223372036854775808',
    ])('returns 404 for the ID %s', async (id) => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        expect(await api.call(method, `/templates/${id}`)).toMatchObject({ status: 404, body: envelope(404) });
      }
    });

    it('returns a response for absolute and malformed request targets', async () => {
      expect(await raw(service, 'GET http://elsewhere.test/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close')).toContain(
        'HTTP/1.1 401',
      );
      expect(await raw(service, 'GET //v1//me HTTP/1.1\r\nHost: x\r\nConnection: close')).toContain('HTTP/1.1 404');
    });
  });

  describe('for tokens', () => {
    it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'out_x', `Bearer out_${'a'.repeat(43)}`, 'Bearer a b'])(
      'returns 401 for the header %s',
      async (authorization) => {
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
        const response = await parseResponse(await fetch(`${service.url}/v1/me`, { headers }));
        expect(response.status).toBe(401);
        expect(response.body).toEqual(bareRefusal('Unauthorized'));
        expect(response.headers.get('www-authenticate')).toBe('Bearer');
      },
    );

    it('accepts the scheme in any case, and no token outside the header', async () => {
      expect((await api.get('/me', { authorization: `bearer ${api.token}` })).status).toBe(200);
      expect((await api.get(`/me?access_token=${api.token}`, { authorization: '' })).status).toBe(401);
      const inBody = await api.post('/templates', { ...TEMPLATE, access_token: api.token }, { authorization: '' });
      expect(inBody.status).toBe(401);
    });
  });

  describe('for bodies', () => {
    it.each(['{', '{"name":}', 'nothing', '{"a":1}}', '[1', '\u0000'])('returns 400 for the JSON %j', async (text) => {
      expect(await api.post('/templates', text)).toMatchObject({ status: 400, body: envelope(400) });
    });

    it('says where the JSON is malformed, and what could be there', async () => {
      const { body } = await api.post('/templates', '{\n  "name": "Hello"\n  "subject": "Hi"\n}');
      expect(body.message).toBe('The body is not valid JSON: at line 3, column 3, expected a comma or }.');
      expect((await api.post('/templates', '{"name":')).body.message).toMatch('expected a value, but the body ends.');
    });

    it.each(['[]', '"text"', '7', 'true', 'null', '[{"name":"x"}]'])(
      'returns 422 for %s, which is not an object',
      async (text) => {
        expect((await api.post('/templates', text)).body).toEqual(validationError('body'));
      },
    );

    it('reads an empty body as an empty object', async () => {
      for (const body of [undefined, '', '{}']) {
        expect((await api.post('/templates', body)).body).toEqual(validationError('name', 'subject', 'body'));
      }
      const { data } = await api.post('/templates', TEMPLATE);
      expect(await api.put(`/templates/${data.id}`)).toMatchObject({ status: 200, data: { name: 'Hello' } });
    });

    it('returns 413 for more than a megabyte, declared or received', async () => {
      const filler = 'x'.repeat(1_048_576);
      expect(await api.post('/templates', { ...TEMPLATE, body: filler })).toMatchObject({
        status: 413,
        body: envelope(413),
      });
      const chunked = await fetch(`${service.url}/v1/templates`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
        body: new ReadableStream({
          start(stream) {
            stream.enqueue(new TextEncoder().encode(`"${filler}"`));
            stream.close();
          },
        }),
        duplex: 'half',
      });
      expect(chunked.status).toBe(413);
      const remaining = 1_048_576 - JSON.stringify({ ...TEMPLATE, body: '' }).length;
      expect((await api.post('/templates', { ...TEMPLATE, body: 'x'.repeat(remaining) })).status).toBe(422);
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])(
      'returns 415 for a body of %s',
      async (type) => {
        const response = await api.post('/templates', 'name=x', { 'content-type': type });
        expect(response).toMatchObject({ status: 415, body: envelope(415) });
      },
    );

    it('returns 415 for an unknown character set or encoding', async () => {
      const latin = await api.post('/templates', '{}', { 'content-type': 'application/json; charset=iso-8859-1' });
      expect(latin).toMatchObject({ status: 415, body: envelope(415) });
      const packed = await api.post('/templates', '{}', { 'content-encoding': 'zstd' });
      expect(packed).toMatchObject({ status: 415, body: envelope(415) });
    });

    it('returns 422 with the names of fields that have the wrong type', async () => {
      const wrong = { name: 1, subject: ['x'], body: { html: 'x' }, category: null, variables: 'x', is_library: 1 };
      const { body } = await api.post('/templates', wrong);
      expect(Object.keys(body.errors).sort()).toEqual(['body', 'is_library', 'name', 'subject', 'variables']);
      const elements = await api.post('/templates', { ...TEMPLATE, variables: ['a', 1, null, ['b'], {}] });
      expect(Object.keys(elements.body.errors)).toEqual(['variables.1', 'variables.2', 'variables.3', 'variables.4']);
    });

    it('trims strings, and returns 422 for those that are empty then', async () => {
      expect((await api.post('/templates', { ...TEMPLATE, name: ' \t\n\u00a0a b ' })).data.name).toBe('a b');
      expect((await api.post('/templates', { ...TEMPLATE, name: ' \n ' })).body).toEqual(validationError('name'));
    });

    it('counts lengths in code points', async () => {
      expect((await api.post('/templates', { ...TEMPLATE, name: '😀'.repeat(255) })).status).toBe(201);
      expect((await api.post('/templates', { ...TEMPLATE, name: '😀'.repeat(256) })).body).toEqual(
        validationError('name'),
      );
    });

    it('returns 422 with the names of fields that contain NUL or lone surrogates', async () => {
      const text = '{"name":"a\\u0000b","subject":"\\ud800","body":"x","variables":["ok","\\udc00"]}';
      expect((await api.post('/templates', text)).body).toEqual(validationError('name', 'subject', 'variables.1'));
      expect((await api.get('/templates?search=a%00b')).body).toEqual(validationError('search'));
    });

    it('returns 422 for nesting of any depth', async () => {
      for (const text of [nested(200_000), `{"unknown":${nested(200_000)}}`, `{"variables":${nested(200_000)}}`]) {
        expect((await api.post('/templates', text)).status).toBe(422);
        const keyed = await api.post('/templates', text, { 'idempotency-key': `deep-${text.length}` });
        expect(keyed.status).toBe(422);
      }
    });
  });

  describe('for lists', () => {
    it.each([
      'page=0',
      'page=-1',
      'page=1.5',
      'page=abc',
      'page=',
      'page=99999999999999999999',
      'page=1&page=2',
      'per_page=0',
      'per_page=101',
      'per_page=x',
      'sort=bogus',
      'sort=workspace_id',
      'sort=name&sort=subject',
      'direction=up',
      'direction=DESC',
      'search=a&search=b',
      'is_library=true',
      'is_library=',
      'is_library=2',
      'category=nothing',
      'category=',
    ])('returns 422 for ?%s', async (query) => {
      const { status, body } = await api.get(`/templates?${query}`);
      expect(status).toBe(422);
      expect(body).toEqual(validationError(query.split('=')[0] ?? ''));
    });

    it('returns 422 for unknown parameters, and ignores those that begin with an underscore', async () => {
      const { body } = await api.get('/templates?colour=blue&page[]=0&__proto__=1&constructor=2');
      expect(body).toEqual(validationError('colour', 'page[]', 'constructor'));
      expect((await api.get('/templates?__proto__=1&_=2')).status).toBe(200);
    });

    it('returns one page for an empty list', async () => {
      const { body } = await (await service.client()).get('/templates');
      const self = 'http://outreach.test/v1/templates?page=1';
      expect(body).toEqual({
        data: [],
        links: { first: self, last: self, prev: null, next: null },
        meta: { current_page: 1, last_page: 1, per_page: 15, total: 0, count: 0 },
      });
    });

    it('links the pages, and returns an empty page after the last', async () => {
      const own = await service.client();
      for (const name of ['a', 'b', 'c']) await own.post('/templates', { ...TEMPLATE, name });
      const page = async (number: number) => (await own.get(`/templates?per_page=2&sort=name&page=${number}`)).body;
      const link = (number: number) => `http://outreach.test/v1/templates?per_page=2&sort=name&page=${number}`;
      const first = await page(1);
      expect(first.data.map((template: { name: string }) => template.name)).toEqual(['c', 'b']);
      expect(first.links).toEqual({ first: link(1), last: link(2), prev: null, next: link(2) });
      expect(first.meta).toEqual({ current_page: 1, last_page: 2, per_page: 2, total: 3, count: 2 });
      expect((await page(2)).links).toEqual({ first: link(1), last: link(2), prev: link(1), next: null });
      const past = await page(9);
      expect(past.links).toEqual({ first: link(1), last: link(2), prev: link(2), next: null });
      expect([past.data, past.meta]).toEqual([[], { current_page: 9, last_page: 2, per_page: 2, total: 3, count: 0 }]);
      expect((await page(Number.MAX_SAFE_INTEGER)).meta.count).toBe(0);
    });

    it('repeats every other parameter in the links as it was sent', async () => {
      const { body } = await api.get('/templates?search=what%3F+%26%20caf%C3%A9?&p%61ge=2&_x=%5B1%5D&per_page=5');
      expect(body.meta.current_page).toBe(2);
      expect(body.links.first).toBe(
        'http://outreach.test/v1/templates?search=what%3F+%26%20caf%C3%A9?&_x=%5B1%5D&per_page=5&page=1',
      );
    });

    it('searches for at most six terms, all of which must match, without wildcards', async () => {
      const own = await service.client();
      await own.post('/templates', { ...TEMPLATE, name: 'One two three 100% under_score' });
      const found = async (search: string) =>
        (await own.get(`/templates?search=${encodeURIComponent(search)}`)).body.meta.total;
      expect(await found('TWO one')).toBe(1);
      expect(await found('two four')).toBe(0);
      expect(await found('one two three 100% under_score o seventh')).toBe(1);
      expect(await found('%')).toBe(1);
      expect(await found('0_')).toBe(0);
      expect(await found('r_s')).toBe(1);
      expect(await found('  ')).toBe(1);
    });
  });

  describe('for headers', () => {
    it('adds a request ID and the API version to every response', async () => {
      for (const path of ['/v1/me', '/v1/nowhere', '/health/live', '/openapi.json', '/docs', '/llms.txt']) {
        const { headers } = await fetch(service.url + path);
        expect(headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
        expect(headers.get('x-api-version')).toBe('1.0');
      }
    });

    it("returns the client's request ID if it is well-formed", async () => {
      const idOf = async (id: string) => (await api.get('/me', { 'x-request-id': id })).headers.get('x-request-id');
      const maximal = 'aZ0_.-'.padEnd(128, 'x');
      expect(await idOf(maximal)).toBe(maximal);
      for (const id of ['', 'a b', `${maximal}x`, 'a,b', 'é']) expect(await idOf(id)).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe('with an Idempotency-Key', () => {
    const send = (client: ApiClient, key: string, body: unknown = TEMPLATE, path = '/templates') =>
      client.post(path, body, { 'idempotency-key': key });
    const replayed = (response: { headers: Headers }) => response.headers.get('idempotency-replayed');
    const total = async (client: ApiClient) => (await client.get('/templates')).body.meta.total;

    it('replays the first response for any query string, and does nothing twice', async () => {
      const own = await service.client();
      const first = await send(own, 'k'.repeat(255));
      const again = await send(own, 'k'.repeat(255), TEMPLATE, '/templates?_x=1');
      expect([first.status, replayed(first), again.status, replayed(again)]).toEqual([201, null, 201, 'true']);
      expect(again.body).toEqual(first.body);
      expect(await total(own)).toBe(1);
    });

    it('replays for the same token and the same path only', async () => {
      const own = await service.client();
      await send(own, 'k');
      expect(replayed(await send(await service.client(), 'k'))).toBeNull();
      const token = { name: 'x', permissions: ['tokens:read'] };
      expect(replayed(await send(own, 'k', token, '/tokens'))).toBeNull();
    });

    it('returns 409 with the reason `response_not_stored` if the first response was larger than 64 KB', async () => {
      const own = await service.client();
      const large = { ...TEMPLATE, body: `<p>${'x'.repeat(65_536)}</p>` };
      expect((await send(own, 'large', large)).status).toBe(201);
      const { status, body } = await send(own, 'large', large);
      expect([status, body]).toEqual([409, httpError(409, 'response_not_stored')]);
      expect(await total(own)).toBe(1);
    });

    it('replays a response of 64 KB', async () => {
      const own = await service.client();
      const { body } = await send(own, 'measure');
      const missing = 65_536 - Buffer.byteLength(JSON.stringify(body)) - 100;
      const large = { ...TEMPLATE, body: TEMPLATE.body + 'x'.repeat(missing) };
      await send(own, 'large', large);
      expect(replayed(await send(own, 'large', large))).toBe('true');
    });

    it('ignores the key of POSTs that change nothing', async () => {
      const own = await service.client();
      const { data } = await own.post('/templates', TEMPLATE);
      const paths = [`/templates/${data.id}/preview`, '/blacklist/check'];
      for (const path of paths) {
        for (const variables of [{ a: 'b' }, { a: 'c' }]) {
          const body = path === paths[0] ? { variables } : { email: `${variables.a}@example.com` };
          const response = await send(own, 'x'.repeat(300), body, path);
          expect([response.status, replayed(response)]).toEqual([200, null]);
        }
      }
    });

    it('returns 404 for a long path to nothing, again and again', async () => {
      const path = `/contacts/${'9'.repeat(8_000)}/unsubscribe`;
      for (const expected of [null, 'true']) {
        const response = await send(api, 'long', undefined, path);
        expect([response.status, replayed(response)]).toEqual([404, expected]);
      }
    });

    it('returns the first response again if the record in the path was deleted since', async () => {
      const { data } = await api.post('/templates', TEMPLATE);
      const path = `/templates/${data.id}/duplicate`;
      const first = await send(api, 'deleted', { name: 'Copy' }, path);
      expect((await api.delete(`/templates/${data.id}`)).status).toBe(204);
      const again = await send(api, 'deleted', { name: 'Copy' }, path);
      expect([again.status, replayed(again), again.body]).toEqual([201, 'true', first.body]);
    });

    it('returns 409 for another body', async () => {
      await send(api, 'other body');
      const { status, body } = await send(api, 'other body', { ...TEMPLATE, name: 'Other' });
      expect([status, body]).toEqual([409, httpError(409, 'idempotency_key_reused')]);
    });

    it('returns 409 while the first request still runs', async () => {
      const own = await service.client();
      const lock = await BlockingTransaction.begin(service.database, 'LOCK TABLE templates IN EXCLUSIVE MODE', []);
      const first = send(own, 'slow');
      await lock.blocks(1);
      expect(await send(own, 'slow')).toMatchObject({ status: 409, body: httpError(409, 'idempotency_key_in_use') });
      await lock.end();
      expect((await first).status).toBe(201);
      expect(replayed(await send(own, 'slow'))).toBe('true');
      expect(await total(own)).toBe(1);
    });

    it('runs one of many requests at the same time', async () => {
      const own = await service.client();
      const responses = await Promise.all(Array.from({ length: 6 }, () => send(own, 'at once')));
      expect(responses.filter((response) => response.status === 201 && !replayed(response))).toHaveLength(1);
      expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect(await total(own)).toBe(1);
    });

    it('replays a 422', async () => {
      const first = await send(api, 'refused', { name: '' });
      const again = await send(api, 'refused', { name: '' });
      expect(again).toMatchObject({ status: 422, body: first.body });
      expect(replayed(again)).toBe('true');
    });

    it('does not replay a 401, 429 or 5xx', async () => {
      const own = await service.client();
      const anonymous = { 'idempotency-key': 'later', authorization: '' };
      expect((await own.post('/templates', TEMPLATE, anonymous)).status).toBe(401);
      await service.database.query('ALTER TABLE templates RENAME TO templates_away');
      const failed = await send(own, 'later');
      await service.database.query('ALTER TABLE templates_away RENAME TO templates');
      expect(failed).toMatchObject({ status: 500, body: envelope(500, 'InternalServerError') });
      expect(failed.body.message).not.toMatch(/template|relation|sql/i);
      const hurried = new ApiClient(strict.url, own.token, own.workspaceId);
      for (let request = 0; request < 3; request++) await hurried.get('/me');
      expect((await send(hurried, 'later')).status).toBe(429);
      const done = await send(own, 'later');
      expect([done.status, replayed(done)]).toEqual([201, null]);
    });

    it('returns 422 with the name of the header if the key is too long or empty', async () => {
      for (const key of ['k'.repeat(256), '']) {
        expect((await send(api, key)).body).toEqual(validationError('Idempotency-Key'));
      }
    });

    it('runs a request again after a day, and ignores the key for other methods', async () => {
      const own = await service.client();
      const { data } = await send(own, 'old');
      await service.database.query(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours'`);
      expect(replayed(await send(own, 'old'))).toBeNull();
      const put = (name: string) => own.put(`/templates/${data.id}`, { name }, { 'idempotency-key': 'put' });
      await put('a');
      expect((await put('b')).data.name).toBe('b');
    });
  });
});
