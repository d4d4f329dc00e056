import { connect, type Socket } from 'node:net';
import { InboundKeys } from '../../src/inbound/inbound-keys.cross-tenant.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { useService, useSharedService } from '../support/service.js';

const AT_ONCE = 8;
const WAITING = 50;
const BEYOND = 3;
const CONTINUED = /^HTTP\/1\.1 100 /;

/** What the service has sent over a connection. */
interface Received {
  readonly socket: Socket;
  readonly text: string;
}

describe('reports to a workspace that arrive slowly', () => {
  const service = useSharedService();
  let slow: ApiClient;
  let other: ApiClient;
  let sockets: Socket[];
  beforeEach(async () => {
    slow = await service.client();
    other = await service.client();
    sockets = [];
  });
  afterEach(() => sockets.forEach((socket) => socket.destroy()));

  const pathOf = async (api: ApiClient, kind: 'mail_url' | 'sendgrid_url'): Promise<string> =>
    new URL((await api.get('/inbound')).data[kind]).pathname;

  /** Sends a request that waits for `100 Continue`, and adds what the service sends to a list. */
  function open(path: string, type: string, received: Received[]): void {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('utf8');
    const head = ['Host: outreach.test', `Content-Type: ${type}`, 'Content-Length: 900000', 'Expect: 100-continue'];
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    socket.on('data', (text: string) => received.push({ socket, text })).on('error', () => undefined);
    sockets.push(socket);
  }

  it.each([
    ['mail_url', 'message/rfc822'],
    ['sendgrid_url', 'application/json'],
  ] as const)('are read a few at a time at %s, refused beyond, and delay no other workspace', async (kind, type) => {
    const path = await pathOf(slow, kind);
    const received: Received[] = [];
    const matching = (pattern: RegExp): Received[] => received.filter(({ text }) => pattern.test(text));
    for (let index = 0; index < AT_ONCE + WAITING + BEYOND; index += 1) open(path, type, received);
    const refused = /^HTTP\/1\.1 429 [^]*retry-after: \d+[^]*"reason":"busy"/i;
    await eventually(() => expect(matching(refused)).toHaveLength(BEYOND));
    await eventually(() => expect(matching(CONTINUED)).toHaveLength(AT_ONCE));

    const theirs = await pathOf(other, 'mail_url');
    const headers = { 'content-type': 'message/rfc822' };
    const response = await fetch(service.url + theirs, {
      method: 'POST',
      headers,
      body: 'Subject: Hello\r\n\r\nHello',
    });
    expect(response.status).toBe(200);
    expect((await slow.get('/contacts')).status).toBe(200);

    matching(CONTINUED)[0]?.socket.destroy();
    await eventually(() => expect(matching(CONTINUED)).toHaveLength(AT_ONCE + 1));
  });

  it('are refused if their body is compressed', async () => {
    const headers = { 'content-type': 'message/rfc822', 'content-encoding': 'gzip' };
    const path = await pathOf(slow, 'mail_url');
    expect((await fetch(service.url + path, { method: 'POST', headers, body: 'x' })).status).toBe(415);
  });
});

describe('the quota of requests to the inbound addresses', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '3' });
  let api: ApiClient;
  beforeEach(async () => {
    api = await service.client();
  });

  const TYPES = { mail: 'message/rfc822', sendgrid: 'application/json', parse: 'multipart/form-data; boundary=b' };
  const post = async (path: keyof typeof TYPES, key: string) => {
    const init = { method: 'POST', headers: { 'content-type': TYPES[path] }, body: '--b--' };
    const { status, headers } = await fetch(`${service.url}/inbound/${path}/${key}`, init);
    // The windows do not end before the test does.
    await service.database.query(`UPDATE quota_counters SET ends_at = now() + interval '1 day'`);
    return { status, retryAfter: headers.get('retry-after') };
  };

  it('counts all paths of a key together, and neither other workspaces nor the API', async () => {
    const key = (await api.get('/inbound')).data.key as string;
    const statuses = [];
    for (const path of ['mail', 'sendgrid', 'parse'] as const) statuses.push((await post(path, key)).status);
    expect(statuses).not.toContain(429);
    for (const path of ['mail', 'sendgrid', 'parse'] as const)
      expect(await post(path, key)).toEqual({ status: 429, retryAfter: expect.stringMatching(/^\d+$/) });
    const other = (await (await service.client()).get('/inbound')).data.key as string;
    expect((await post('mail', other)).status).toBe(200);
    expect((await post('mail', `${key}A`)).status).toBe(404);
    expect((await api.get('/contacts')).status).toBe(200);
  });

  it('counts all keys of a workspace together', async () => {
    const scope = await service.app.get(Workspaces).scope(api.workspaceId);
    const keys = service.app.get(InboundKeys, { strict: false });
    const statuses: number[] = [];
    for (let round = 0; round < 11; round += 1) {
      const key = await keys.rotate(scope);
      statuses.push(...(await Promise.all([1, 2, 3].map(() => post('mail', key)))).map(({ status }) => status));
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429, 429]);
  });
});
