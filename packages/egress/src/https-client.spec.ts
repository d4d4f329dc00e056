import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { eventually, TIME_FACTOR } from '../../../test/support/eventually.js';
import {
  expiredCertificate,
  ok,
  RawTlsServer,
  selfSignedCertificate,
  serverAuthority,
  type RequestHandler,
} from '../../../test/support/raw-tls-server.js';
import { type Reply, trustReceivers, WebhookReceiver } from '../../../test/support/webhook-receiver.js';
import { EgressPolicy, HttpsClient, type HttpsClientOptions, type PostRequest } from './index.js';

trustReceivers();

const policy = new EgressPolicy(['127.0.0.0/8']);
const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop();
});

/** A client that resolves every name to 127.0.0.1. */
function clientWith(options: Partial<HttpsClientOptions> = {}): HttpsClient {
  const client = new HttpsClient({ policy, ca: serverAuthority, resolver: async () => ['127.0.0.1'], ...options });
  opened.push({ stop: async () => client.close() });
  return client;
}

async function receiving(reply: Reply = {}): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  receiver.reply = () => reply;
  opened.push(receiver);
  return receiver;
}

async function responding(handler: RequestHandler, options?: { cert?: string }): Promise<RawTlsServer> {
  const server = await RawTlsServer.start(handler, options);
  opened.push(server);
  return server;
}

const hook = (port: number) => new URL(`https://localhost:${port}/hook?a=1`);
const body = Buffer.from('{"a":"ü"}');
const headers = { 'content-type': 'application/json' };
/** No request that gets a response takes so long, however slow the machine is. */
const AMPLE_MS = 600_000;
/** A limit that a test waits for, after something that takes no time, on this machine. */
const LIMIT_MS = 1_000 * Math.min(TIME_FACTOR, 5);
const post = (port: number, changes: Partial<PostRequest> = {}) =>
  clientWith().post(hook(port), { headers, body, timeoutMs: AMPLE_MS, ...changes });
/** Posts twice on one connection, the second time with a timeout: it covers only the response, on a busy machine too. */
async function postTwice(port: number, timeoutMs: number) {
  const client = clientWith();
  expect(await client.post(hook(port), { headers, body, timeoutMs: AMPLE_MS })).toMatchObject({ status: 200 });
  return client.post(hook(port), { headers, body, timeoutMs });
}

const failed = (reason: string) => ({ kind: 'failed', reason });

describe('a response', () => {
  it('is returned for a request that is sent byte for byte', async () => {
    const receiver = await receiving({ status: 202, body: 'accepted' });
    expect(await post(receiver.port)).toEqual({
      kind: 'response',
      status: 202,
      headers: {},
      body: 'accepted',
      complete: true,
    });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook?a=1',
        raw: body,
        headers: {
          host: `localhost:${receiver.port}`,
          'content-type': 'application/json',
          'content-length': '10',
          'accept-encoding': 'identity',
        },
      },
    ]);
  });

  it.each([301, 307, 308])('that redirects (%i) is returned and not followed', async (status) => {
    const target = await receiving();
    const receiver = await receiving({ status, headers: { location: target.url() } });
    expect(await post(receiver.port)).toMatchObject({ kind: 'response', status, complete: true });
    expect(target.received).toEqual([]);
  });

  it('has the value of the first Retry-After header', async () => {
    const { port } = await receiving({ status: 503, headers: { 'Retry-After': ['120', '7'] } });
    expect(await post(port)).toMatchObject({ status: 503, headers: { retry_after: '120' } });
  });

  it('is preceded by informational responses, which are skipped', async () => {
    const { port } = await responding((socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok('the end')}`),
    );
    expect(await post(port)).toMatchObject({ status: 200, body: 'the end', complete: true });
    const early = await responding((socket, { request }) =>
      socket.write(request === 1 ? ok() : 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    );
    expect(await postTwice(early.port, 300)).toEqual(failed('The host did not respond in time'));
  });

  it('is text that PostgreSQL can store', async () => {
    const { port } = await receiving({ body: Buffer.from('6100ffeda080f09f9880', 'hex') });
    const outcome = await post(port);
    expect(outcome).toMatchObject({ body: 'a\ufffd\ufffd\ufffd\ufffd😀' });
  });

  it('is not decompressed', async () => {
    const { port } = await receiving({ headers: { 'content-encoding': 'gzip' }, body: 'not really' });
    expect(await post(port)).toMatchObject({ body: 'not really', complete: true });
  });

  it('is read up to 64 KB, even if it is endless', async () => {
    const full = await receiving({ body: 'x'.repeat(65_536) });
    expect(await post(full.port)).toMatchObject({ body: 'x'.repeat(65_536), complete: true });
    async function* endless() {
      for (;;) yield 'y'.repeat(10_000);
    }
    const server = await receiving({ body: endless() });
    expect(await post(server.port)).toMatchObject({ status: 200, body: 'y'.repeat(65_536), complete: true });
  });

  it('is complete if it ends with the connection', async () => {
    const { port } = await responding((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nbye'));
    expect(await post(port)).toMatchObject({ body: 'bye', complete: true });
  });

  it('is incomplete if the connection ends before it does', async () => {
    const { port } = await responding((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    expect(await post(port)).toMatchObject({ kind: 'response', status: 200, body: 'half', complete: false });
    const chunked = await responding((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n', () => socket.destroy()),
    );
    expect(await post(chunked.port)).toMatchObject({ status: 200, body: 'half', complete: false });
  });

  it('is read up to the timeout, even if it never pauses for long', async () => {
    const server = await responding((socket, { request }) => {
      if (request === 1) return socket.write(ok());
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      const drip = setInterval(() => socket.write('.'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await postTwice(server.port, LIMIT_MS)).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^\.+$/),
      complete: true,
    });
    await eventually(() => expect(server.open).toBe(0));
  });
});

describe('a request without a response', () => {
  it('fails after the timeout if the host does not respond', async () => {
    const receiver = await receiving('silence');
    receiver.replyOnce({});
    expect(await postTwice(receiver.port, 500)).toEqual(failed('The host did not respond in time'));
    await eventually(() => expect(receiver.received).toHaveLength(2));
  });

  it('fails after the timeout if the headers never end', async () => {
    const { port } = await responding((socket, { request }) => {
      if (request === 1) return socket.write(ok());
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('A: b\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await postTwice(port, 500)).toEqual(failed('The host did not respond in time'));
  });

  it('fails if a new connection is reset, and is not repeated', async () => {
    const receiver = await receiving('reset');
    expect(await post(receiver.port)).toEqual(failed('The connection was closed before a response arrived'));
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['the connection ends within the headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['it is of another protocol', '220 mail.example ESMTP\r\n'],
    ['its headers are too long', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('fails if a response is invalid because %s', async (_case, text) => {
    const { port } = await responding((socket) => socket.end(text));
    expect(await post(port)).toEqual(failed('The response is not valid HTTP/1.1'));
  });

  it('fails if no server listens on the port', async () => {
    const receiver = await receiving();
    const { port } = receiver;
    await receiver.stop();
    opened.splice(opened.indexOf(receiver), 1);
    expect(await post(port)).toEqual(failed(`No connection to localhost on port ${port}: the connection was refused`));
  });

  it('rejects with the reason of an aborted signal', async () => {
    const receiver = await receiving('silence');
    const controller = new AbortController();
    const outcome = post(receiver.port, { signal: controller.signal });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    controller.abort(new Error('The lease is lost'));
    await expect(outcome).rejects.toThrow('The lease is lost');
    await expect(post(receiver.port, { signal: controller.signal })).rejects.toThrow('The lease is lost');
    expect(receiver.received).toHaveLength(1);
  });

  it('rejects with the reason of a signal that is aborted within the body', async () => {
    const server = await responding((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    const controller = new AbortController();
    const outcome = post(server.port, { signal: controller.signal });
    await eventually(() => expect(server.requests).toHaveLength(1));
    controller.abort(new Error('The lease is lost'));
    await expect(outcome).rejects.toThrow('The lease is lost');
    await eventually(() => expect(server.open).toBe(0));
  });

  it('rejects with the reason of a signal that is aborted during the DNS lookup', async () => {
    const controller = new AbortController();
    const client = clientWith({ resolver: () => new Promise(() => undefined) });
    const outcome = client.post(hook(443), { headers, body, signal: controller.signal });
    controller.abort(new Error('The lease is lost'));
    await expect(outcome).rejects.toThrow('The lease is lost');
  });
});

describe('TLS', () => {
  const invalid = (problem: string) => failed(`The certificate of localhost is not valid: ${problem}`);
  const postTrusting = (port: number, ca: string) =>
    clientWith({ ca }).post(hook(port), { headers, body, timeoutMs: AMPLE_MS });

  it('sends the name of the host (SNI), but not an address', async () => {
    const server = await responding((socket) => socket.write(ok()));
    await post(server.port);
    const byAddress = await clientWith().post(new URL(`https://127.0.0.1:${server.port}/`), { headers, body });
    expect(byAddress).toMatchObject({ status: 200 });
    expect(server.requests.map(({ servername }) => servername)).toEqual(['localhost', false]);
  });

  it('requires a certificate of a trusted authority', async () => {
    const server = await responding((socket) => socket.write(ok()));
    expect(await postTrusting(server.port, selfSignedCertificate)).toEqual(invalid('its authority is not trusted'));
    const selfSigned = await responding((socket) => socket.write(ok()), { cert: selfSignedCertificate });
    expect(await post(selfSigned.port)).toEqual(invalid('it is self-signed'));
    expect([...server.requests, ...selfSigned.requests]).toEqual([]);
  });

  it('requires a certificate that has not expired', async () => {
    const server = await responding((socket) => socket.write(ok()), { cert: expiredCertificate });
    expect(await postTrusting(server.port, expiredCertificate)).toEqual(invalid('it has expired'));
    expect(server.requests).toEqual([]);
  });

  it.each(['hooks.example', '127.0.0.2'])('requires a certificate for the host %s', async (host) => {
    const server = await RawTlsServer.start((socket) => socket.write(ok()), { host: '0.0.0.0' });
    opened.push(server);
    const outcome = await clientWith().post(new URL(`https://${host}:${server.port}/`), { headers, body });
    expect(outcome).toEqual(failed(`The certificate of ${host} is not valid: it is for another host`));
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['responds without TLS', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['closes the connection', undefined],
  ])('fails if the host %s', async (_case, text) => {
    const plain = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (text === undefined ? socket.destroy() : socket.end(text)));
    }).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    opened.push({ stop: () => new Promise((closed) => void plain.close(() => closed())) });
    const { port } = plain.address() as AddressInfo;
    expect(await post(port)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining(`No TLS connection to localhost on port ${port}: `),
    });
  });

  it('fails after the timeout if the host does not respond', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    opened.push({ stop: () => new Promise((closed) => void silent.close(() => closed())) });
    const { port } = silent.address() as AddressInfo;
    expect(await post(port, { timeoutMs: LIMIT_MS })).toEqual(
      failed(`No TLS connection to localhost on port ${port}: no response in time`),
    );
  });
});

it('sends plain HTTP to the addresses of the configured ranges, and to no others', async () => {
  const server = createHttpServer((request, response) => request.resume().on('end', () => response.end('plain')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  opened.push({ stop: () => new Promise((closed) => void server.close(() => closed())) });
  const { port } = server.address() as AddressInfo;
  const client = clientWith();
  const result = await client.post(new URL(`http://127.0.0.1:${port}/`), { headers, body });
  expect(result).toMatchObject({ kind: 'response', status: 200, body: 'plain' });
  expect(await client.post(new URL('http://8.8.8.8/'), { headers, body })).toEqual(
    failed('The host 8.8.8.8 is not public'),
  );
  client.close();
});

it('rejects invalid headers', async () => {
  const client = clientWith();
  const server = await responding((socket) => socket.write(ok()));
  const invalid = client.post(hook(server.port), { headers: { 'x-a': 'b\r\nc: d' }, body });
  await expect(invalid).rejects.toThrow('invalid x-a header');
  expect(server.requests).toEqual([]);
});
