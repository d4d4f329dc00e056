import { connect, type Socket } from 'node:net';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { httpError } from '../support/expected.js';
import { useSharedService } from '../support/service.js';

const TEMPLATE = { name: 'Hello', subject: 'Hi', body: '<p>Hi</p>' };
const JSON_TYPE = 'application/json';

interface Sent {
  readonly path: string;
  readonly token?: string;
  readonly headers?: readonly string[];
  /** The part of the body that is sent; `content-length` may be larger. */
  readonly body?: string;
}

describe('the body of a request', () => {
  const service = useSharedService();
  let api: ApiClient;
  beforeAll(async () => {
    api = await service.client();
  });

  const open = (): Socket => connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('utf8');

  /** Sends the head of a POST and the beginning of its body, and returns what the service sends until then. */
  const send = (socket: Socket, { path, token, headers = [], body = '' }: Sent): Promise<string> => {
    const authorization = token === undefined ? [] : [`Authorization: Bearer ${token}`];
    const lines = [`POST /v1${path} HTTP/1.1`, 'Host: outreach.test', ...authorization, ...headers];
    const received = new Promise<string>((resolve, reject) => socket.once('data', resolve).once('error', reject));
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    return received;
  };

  /** Sends a request whose body never arrives. */
  const withoutBody = async (request: Sent): Promise<string> => {
    const socket = open();
    const response = await send(socket, request);
    socket.destroy();
    return response;
  };

  const large = [`Content-Type: ${JSON_TYPE}`, 'Content-Length: 900000'];

  it('is not read without a valid token or without the permission', async () => {
    const reader = await service.client(['templates:read']);
    expect(await withoutBody({ path: '/templates', headers: large })).toMatch(/^HTTP\/1\.1 401 /);
    expect(await withoutBody({ path: '/templates', headers: large, token: 'out_unknown' })).toMatch(/^HTTP\/1\.1 401 /);
    expect(await withoutBody({ path: '/templates', headers: large, token: reader.token })).toMatch(/^HTTP\/1\.1 403 /);
    const form = ['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 900000'];
    expect(await withoutBody({ path: '/contacts/import', headers: form })).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is not read by a route that needs no token and takes none', async () => {
    for (const path of ['/health/live', '/t/o/unknown', '/marketplace']) {
      const socket = open();
      const response = new Promise<string>((resolve) => socket.once('data', resolve));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: outreach.test\r\n${large.join('\r\n')}\r\n\r\n{`);
      expect(await response).toMatch(/^HTTP\/1\.1 (200|404) /);
      socket.destroy();
    }
  });

  it('does not matter for a request without a valid token', async () => {
    const anonymous = { authorization: '' };
    for (const body of ['{', 'x'.repeat(1_100_000)]) {
      expect((await api.post('/templates', body, anonymous)).status).toBe(401);
    }
    expect((await api.post('/templates', 'x', { ...anonymous, 'content-type': 'text/plain' })).status).toBe(401);
  });

  it('is read before the record of the path is looked up', async () => {
    expect(await api.put('/templates/999', '{')).toMatchObject({ status: 400, body: httpError(400) });
    expect((await api.put('/templates/999', 'x'.repeat(1_100_000))).status).toBe(413);
    expect((await api.put('/templates/999', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await api.put('/templates/999', { name: 7 })).status).toBe(404);
  });

  it('with too many keys, values or levels is a 404 if the record of the path does not exist, else a 422', async () => {
    const { id } = (await api.post('/templates', TEMPLATE)).data;
    const values = { variables: Array.from({ length: 30_000 }, () => 1) };
    const keys = Object.fromEntries(values.variables.map((_, index) => [`key${index}`, 1]));
    const levels = `{"variables":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    for (const [body, path] of [
      [values, 'variables'],
      [keys, 'body'],
      [levels, `variables${'.0'.repeat(19)}`],
    ] as const) {
      expect((await api.put('/templates/999', body)).status).toBe(404);
      const refused = await api.put(`/templates/${id}`, body);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [path]]);
      expect((await api.post('/contacts/999/unsubscribe', body)).status).toBe(404);
      expect((await api.post('/webhooks/999/test', body)).status).toBe(404);
    }
    const contact = await api.post('/contacts', { email: 'ann@example.com' });
    expect((await api.post(`/contacts/${contact.body.id}/unsubscribe`, keys)).status).toBe(422);
    expect((await api.get(`/contacts/${contact.body.id}`)).data.status).toBe('active');
  });

  it('is discarded if it is refused, and the connection can be used again', async () => {
    const socket = open();
    const body = JSON.stringify(TEMPLATE);
    const headers = [`Content-Type: ${JSON_TYPE}`, `Content-Length: ${body.length}`];
    expect(await send(socket, { path: '/templates', headers, body })).toMatch(/^HTTP\/1\.1 401 /);
    expect(await send(socket, { path: '/templates', headers, body, token: api.token })).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
  });

  it('is refused by its declared length before it is sent', async () => {
    const headers = [`Content-Type: ${JSON_TYPE}`, 'Content-Length: 1048577'];
    expect(await withoutBody({ path: '/templates', headers, token: api.token })).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is asked for with 100 if the client expects it and the token is valid', async () => {
    const body = JSON.stringify(TEMPLATE);
    const headers = [`Content-Type: ${JSON_TYPE}`, `Content-Length: ${body.length}`, 'Expect: 100-continue'];
    expect(await withoutBody({ path: '/templates', headers })).toMatch(/^HTTP\/1\.1 401 /);
    const socket = open();
    expect(await send(socket, { path: '/templates', headers, token: api.token })).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    const response = new Promise<string>((resolve) => socket.once('data', resolve));
    socket.write(body);
    expect(await response).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
  });

  describe('of a megabyte that arrives slowly', () => {
    const MAX_RECEIVED = 16;
    const MAX_WAITING = 100;
    const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
    const megabyte = [`Content-Type: ${JSON_TYPE}`, 'Content-Length: 1048576', 'Expect: 100-continue'];
    let sockets: Socket[];
    beforeEach(() => void (sockets = []));
    afterEach(() => {
      for (const socket of sockets) socket.destroy();
    });

    /** Sends the head of a request. The service sends 100 when it begins to read the body. */
    const sendHead = (token: string): Promise<string> => {
      const socket = open();
      sockets.push(socket);
      return send(socket, { path: '/templates', headers: megabyte, token });
    };
    const sendHeads = (token: string, count: number) => Array.from({ length: count }, () => sendHead(token));

    it('is read for 16 requests of a workspace at a time, and others wait unread', async () => {
      const slow = await service.client();
      expect(await Promise.all(sendHeads(slow.token, MAX_RECEIVED))).toEqual(Array(MAX_RECEIVED).fill(CONTINUE));
      let isRead = false;
      const next = sendHead(slow.token).finally(() => (isRead = true));
      expect((await slow.post('/templates', TEMPLATE)).status).toBe(201);
      expect(await sendHead(api.token)).toBe(CONTINUE);
      expect((await api.post('/templates', { ...TEMPLATE, body: 'x'.repeat(200_000) })).status).toBe(201);
      expect(isRead).toBe(false);
      sockets[0]?.destroy();
      expect(await next).toBe(CONTINUE);
    });

    it('is refused as busy if too many wait', async () => {
      const slow = await service.client();
      await Promise.all(sendHeads(slow.token, MAX_RECEIVED));
      const refused: string[] = [];
      for (const response of sendHeads(slow.token, MAX_WAITING + 2)) {
        void response.then((text) => refused.push(text));
      }
      await eventually(() => expect(refused).toHaveLength(2));
      for (const text of refused) {
        expect(text).toMatch(/^HTTP\/1\.1 429 [^]*\r\nRetry-After: 1\r\n[^]*"reason":"busy"/);
      }
      expect(await sendHead(api.token)).toBe(CONTINUE);
    });
  });
});
