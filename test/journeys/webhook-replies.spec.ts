import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { freePort } from '../support/command-line.js';
import { useDeliveryTimeout } from '../support/delivery-timeout.js';
import { eventually, TIME_FACTOR } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { expiredCertificate, ok, RawTlsServer, selfSignedCertificate } from '../support/raw-tls-server.js';
import { useService } from '../support/service.js';
import { violatedInvariants } from '../support/webhook-invariants.js';
import { type Reply, trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';

const MAX_RESPONSE_LENGTH = 2000;
const EMOJI_BYTES = 4;
const MEGABYTE = 2 ** 20;
/** The ten seconds of the product, and longer on a slow machine, where the others must respond in time. */
const DELIVERY_TIMEOUT_MS = 10_000 * Math.min(TIME_FACTOR, 6);

/** Yields the same part forever. */
const endless = (part: string, milliseconds: number): AsyncIterable<string> => ({
  async *[Symbol.asyncIterator]() {
    for (;;) {
      yield part;
      await pause(milliseconds);
    }
  },
});

/** An HTTP response and the expected log. */
interface Case {
  readonly reply: Reply;
  readonly log: object;
}

/** Responses of an HTTP server. */
const replies: Readonly<Record<string, Case>> = {
  'no response': {
    reply: 'silence',
    log: { status_code: 0, success: false, response: 'The host did not respond in time' },
  },
  'a slow body': {
    reply: { body: endless('.', 500) },
    log: { status_code: 200, success: true, response: expect.stringMatching(/^\.+$/) },
  },
  'a slow body with an error': {
    reply: { status: 500, body: endless('.', 500) },
    log: { status_code: 500, success: false, response: expect.stringMatching(/^\.+$/) },
  },
  'an endless body': {
    reply: { body: endless('a'.repeat(8192), 1) },
    log: { status_code: 200, success: true, response: 'a'.repeat(MAX_RESPONSE_LENGTH) },
  },
  'a huge body': {
    reply: { body: Buffer.alloc(10 * MEGABYTE, 'h') },
    log: { status_code: 200, success: true, response: 'h'.repeat(MAX_RESPONSE_LENGTH) },
  },
  'a huge body with an error': {
    reply: { status: 500, body: Buffer.alloc(10 * MEGABYTE, 'h') },
    log: { status_code: 500, success: false, response: 'h'.repeat(MAX_RESPONSE_LENGTH) },
  },
  'NUL bytes': { reply: { body: '\0a\0\0b\0' }, log: { status_code: 200, success: true, response: 'ab' } },
  'bytes that are not UTF-8': {
    reply: { body: Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]) },
    log: { status_code: 200, success: true, response: expect.stringMatching(/^a\ufffd+\(\ufffd+b$/) },
  },
  'only emoji': {
    reply: { body: '😀'.repeat((64 * 1024) / EMOJI_BYTES) },
    log: { status_code: 200, success: true, response: '😀'.repeat(MAX_RESPONSE_LENGTH) },
  },
  'emoji that the limit would split': {
    reply: { body: `a${'😀'.repeat((64 * 1024) / EMOJI_BYTES)}` },
    log: { status_code: 200, success: true, response: `a${'😀'.repeat(MAX_RESPONSE_LENGTH - 1)}` },
  },
  'no content': { reply: { status: 204 }, log: { status_code: 204, success: true, response: '' } },
  'a huge header': {
    reply: { headers: { 'x-long': 'x'.repeat(MEGABYTE) } },
    log: { status_code: 0, success: false, response: 'The response is not valid HTTP/1.1' },
  },
  'a redirect to this machine': {
    reply: { status: 307, headers: { location: 'https://127.0.0.1/' }, body: 'moved' },
    log: { status_code: 307, success: false, response: 'moved' },
  },
  'many headers': {
    reply: { headers: Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`x-header-${n}`, 'x'])) },
    log: { status_code: 200, success: true, response: '' },
  },
};

/** Raw responses that an HTTP server would not send. */
const texts: Readonly<Record<string, { readonly says: string; readonly log: object }>> = {
  'informational responses first': {
    says: `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok('at last')}`,
    log: { status_code: 200, success: true, response: 'at last' },
  },
  'informational responses only': {
    says: 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3),
    log: { status_code: 0, success: false, response: 'The response is not valid HTTP/1.1' },
  },
  'another protocol': {
    says: 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
    log: { status_code: 0, success: false, response: 'The response is not valid HTTP/1.1' },
  },
  'HTTP/1.0 without a length': {
    says: 'HTTP/1.0 200 OK\r\n\r\nuntil the end',
    log: { status_code: 200, success: true, response: 'until the end' },
  },
  'chunks with trailers': {
    says: 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nTrailer: x-sum\r\n\r\n3\r\nabc\r\n0\r\nx-sum: 1\r\n\r\n',
    log: { status_code: 201, success: true, response: 'abc' },
  },
  'incomplete chunks': {
    says: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc',
    log: { status_code: 200, success: false, response: expect.stringMatching(/abc$/) },
  },
  'a length and chunks at once': {
    says: 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    log: { status_code: 0, success: false, response: 'The response is not valid HTTP/1.1' },
  },
  'something that is not HTTP': {
    says: 'SSH-2.0-OpenSSH_9.2\r\n',
    log: { status_code: 0, success: false, response: 'The response is not valid HTTP/1.1' },
  },
  'a closed connection': {
    says: '',
    log: { status_code: 0, success: false, response: 'The connection was closed before a response arrived' },
  },
};

/** Endpoints that are not reached, and the expected reasons. */
const unreached: Readonly<Record<string, RegExp>> = {
  'a port without a listener': /^No connection to localhost on port \d+: the connection was refused$/,
  'a certificate for another host': /^The certificate of 127\.0\.0\.2 is not valid: it is for another host$/,
  'an expired certificate': /^The certificate of localhost is not valid: it has expired$/,
  'a self-signed certificate': /^The certificate of localhost is not valid: it is self-signed$/,
  'a host that does not respond to TLS': /^No TLS connection to localhost on port \d+: no response in time$/,
  'a host that sends headers too slowly': /^The host did not respond in time$/,
  'a host that does not speak TLS': /^No TLS connection to localhost on port \d+: the host does not support TLS/,
};

/** Starts a TCP server without TLS. */
async function plainServer(accept: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    // Without a reader the socket stays open after its client has gone.
    socket.on('error', () => undefined).resume();
    accept(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** All of them at once, because some take all of their time: one event for each, one attempt, one log. */
describe('webhook deliveries', () => {
  trustReceivers();
  useDeliveryTimeout(DELIVERY_TIMEOUT_MS);
  // Without retries there is one attempt each.
  const service = useService({
    WEBHOOK_RETRY_SCHEDULE: 'none',
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  });
  let api: ApiClient;
  const ids = new Map<string, number>();
  const logs = new Map<string, Schema<'WebhookLog'>>();
  const cleanups: (() => unknown)[] = [];

  beforeAll(async () => {
    api = await service.client();
    await service.startWorker();
    await subscribeReplies();
    await subscribeTexts();
    await subscribeUnreached();
    await new Given(api, service.database).contact();
    for (const [name, id] of ids) logs.set(name, await firstLog(id));
  });
  afterAll(async () => {
    for (const close of cleanups) await close();
  });

  async function subscribe(name: string, url: string): Promise<void> {
    const { status, body } = await api.post('/webhooks', { url, events: ['contact.created'] });
    expect([status, body]).toEqual([201, expect.anything()]);
    ids.set(name, body.data.id);
  }

  async function subscribeReplies(): Promise<void> {
    const receiver = await WebhookReceiver.start();
    cleanups.push(() => receiver.stop());
    const cases = Object.entries(replies);
    receiver.reply = ({ path }) => cases[Number(path.slice(1))]?.[1].reply ?? {};
    for (const [index, [name]] of cases.entries()) {
      await subscribe(name, `https://localhost:${receiver.port}/${index}`);
    }
  }

  async function subscribeTexts(): Promise<void> {
    for (const [name, { says }] of Object.entries(texts)) {
      const server = await RawTlsServer.start((socket) => void socket.end(says));
      cleanups.push(() => server.stop());
      await subscribe(name, `https://localhost:${server.port}/`);
    }
  }

  async function subscribeUnreached(): Promise<void> {
    const otherHost = await WebhookReceiver.start({ host: '127.0.0.2' });
    const expired = await RawTlsServer.start(() => undefined, { cert: expiredCertificate });
    const selfSigned = await RawTlsServer.start(() => undefined, { cert: selfSignedCertificate });
    const slow = await RawTlsServer.start((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-long: ');
      const interval = setInterval(() => socket.write('x'), 500);
      socket.on('close', () => clearInterval(interval));
    });
    cleanups.push(...[otherHost, expired, selfSigned, slow].map((server) => () => server.stop()));
    const silent = await plainServer(() => undefined);
    const plain = await plainServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    cleanups.push(...[silent, plain].map((server) => () => server.close()));
    const portOf = (server: Server): number => (server.address() as AddressInfo).port;
    await subscribe('a port without a listener', `https://localhost:${await freePort()}/`);
    await subscribe('a certificate for another host', otherHost.url());
    await subscribe('an expired certificate', `https://localhost:${expired.port}/`);
    await subscribe('a self-signed certificate', `https://localhost:${selfSigned.port}/`);
    await subscribe('a host that sends headers too slowly', `https://localhost:${slow.port}/`);
    await subscribe('a host that does not respond to TLS', `https://localhost:${portOf(silent)}/`);
    await subscribe('a host that does not speak TLS', `https://localhost:${portOf(plain)}/`);
  }

  const firstLog = (id: number): Promise<Schema<'WebhookLog'>> =>
    eventually(async () => {
      const { data } = await api.get(`/webhooks/${id}/logs`);
      expect(data).toHaveLength(1);
      return data[0];
    });
  const health = async (name: string): Promise<Schema<'Webhook'>> => (await api.get(`/webhooks/${ids.get(name)}`)).data;

  it.each(Object.entries(replies))('that get %s are logged with its status and body', (name, { log }) => {
    expect(logs.get(name)).toMatchObject({ event: 'contact.created', attempt: 1, ...log });
  });

  it.each(Object.entries(texts))('that get %s are logged with its status and body', (name, { log }) => {
    expect(logs.get(name)).toMatchObject({ event: 'contact.created', attempt: 1, ...log });
  });

  it.each(Object.entries(unreached))('to %s are logged with the status 0 and the reason', (name, response) => {
    expect(logs.get(name)).toMatchObject({ status_code: 0, success: false });
    expect(logs.get(name)?.response).toMatch(response);
  });

  it('never reveal the address of a host in the log', () => {
    const named = [...logs].filter(([name]) => name !== 'a certificate for another host');
    for (const [, { response }] of named) expect(response).not.toMatch(/127\.0\.0|::1/);
  });

  it('change the failure count as their log says', async () => {
    for (const [name, { success }] of logs) {
      expect([name, await health(name)]).toEqual([
        name,
        expect.objectContaining({ is_active: true, failure_count: success ? 0 : 1 }),
      ]);
    }
    expect(await violatedInvariants(service.database, 1)).toEqual([]);
  });

  it('that wait are made to a new URL as soon as the attempt at the old one, which is silent, has ended', async () => {
    const client = await service.client();
    const given = new Given(client, service.database);
    // Should the attempt end before the change, its pause does not.
    service.clocks.stop(client.workspaceId);
    const receiver = await WebhookReceiver.start();
    cleanups.push(() => receiver.stop());
    receiver.reply = ({ path }) => (path === '/old' ? 'silence' : {});
    const { data } = await client.post('/webhooks', { url: receiver.url('/old'), events: ['contact.created'] });
    for (let n = 0; n < 3; n++) await given.contact();
    await eventually(() => expect(receiver.at('/old')).toHaveLength(1));
    await client.put(`/webhooks/${data.id}`, { url: receiver.url('/new') });
    await eventually(async () =>
      expect((await client.get(`/webhooks/${data.id}`)).data).toMatchObject({ is_active: true, pending_count: 0 }),
    );
    expect(receiver.received.map(({ path }) => path)).toEqual(['/old', '/new', '/new']);
    // The oldest first: the one that has failed at the old URL was attempted before the change.
    const made = (await client.get(`/webhooks/${data.id}/logs?direction=asc`)).data as Schema<'WebhookLog'>[];
    expect(made.map(({ success }) => success)).toEqual([false, true, true]);
  });
});
