import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { eventually } from '../../../test/support/eventually.js';
import {
  expiredCertificate,
  ok,
  RawTlsServer,
  selfSignedCertificate,
  serverAuthority,
  type RequestHandler,
} from '../../../test/support/raw-tls-server.js';
import { type Reply, WebhookReceiver } from '../../../test/support/webhook-receiver.js';
import { EgressPolicy, HttpsClient, type HttpsClientOptions, type Post } from './index.js';

const policy = new EgressPolicy(['127.0.0.0/8']);
const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop();
});

/** For `localhost`, which is 127.0.0.1 here whatever the hosts file says. */
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

async function talking(talk: RequestHandler, options?: { cert?: string }): Promise<RawTlsServer> {
  const server = await RawTlsServer.start(talk, options);
  opened.push(server);
  return server;
}

const hook = (port: number) => new URL(`https://localhost:${port}/hook?a=1`);
const body = Buffer.from('{"a":"ü"}');
const headers = { 'content-type': 'application/json' };
const post = (port: number, changes: Partial<Post> = {}) =>
  clientWith().post(hook(port), { headers, body, ...changes });
const unreached = (reason: string) => ({ kind: 'failed', reason });

describe('an answer', () => {
  it('comes to what was sent, byte for byte', async () => {
    const receiver = await receiving({ status: 202, body: 'taken' });
    expect(await post(receiver.port)).toEqual({
      kind: 'response',
      status: 202,
      headers: {},
      body: 'taken',
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

  it.each([301, 307, 308])('may be a redirection (%i), which is not followed', async (status) => {
    const elsewhere = await receiving();
    const receiver = await receiving({ status, headers: { location: elsewhere.url() } });
    expect(await post(receiver.port)).toMatchObject({ kind: 'response', status, complete: true });
    expect(elsewhere.received).toEqual([]);
  });

  it('tells when to come again, by the first word on it', async () => {
    const { port } = await receiving({ status: 503, headers: { 'Retry-After': ['120', '7'] } });
    expect(await post(port)).toMatchObject({ status: 503, headers: { retry_after: '120' } });
  });

  it('is not one that only informs', async () => {
    const { port } = await talking((socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok('in the end')}`),
    );
    expect(await post(port)).toMatchObject({ status: 200, body: 'in the end', complete: true });
    const early = await talking((socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
    expect(await post(early.port, { timeoutMs: 300 })).toEqual(unreached('The host did not respond in time'));
  });

  it('is text that a database takes', async () => {
    const { port } = await receiving({ body: Buffer.from('6100ffeda080f09f9880', 'hex') });
    const outcome = await post(port);
    expect(outcome).toMatchObject({ body: 'a\ufffd\ufffd\ufffd\ufffd😀' });
  });

  it('is left compressed', async () => {
    const { port } = await receiving({ headers: { 'content-encoding': 'gzip' }, body: 'not really' });
    expect(await post(port)).toMatchObject({ body: 'not really', complete: true });
  });

  it('is read up to 64 KB, and no more of an endless one', async () => {
    const full = await receiving({ body: 'x'.repeat(65_536) });
    expect(await post(full.port)).toMatchObject({ body: 'x'.repeat(65_536), complete: true });
    async function* endless() {
      for (;;) yield 'y'.repeat(10_000);
    }
    const server = await receiving({ body: endless() });
    expect(await post(server.port)).toMatchObject({ status: 200, body: 'y'.repeat(65_536), complete: true });
  });

  it('may end with the connection', async () => {
    const { port } = await talking((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nbye'));
    expect(await post(port)).toMatchObject({ body: 'bye', complete: true });
  });

  it('may be cut off before its end', async () => {
    const { port } = await talking((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    expect(await post(port)).toMatchObject({ kind: 'response', status: 200, body: 'half', complete: false });
    const chunked = await talking((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n', () => socket.destroy()),
    );
    expect(await post(chunked.port)).toMatchObject({ status: 200, body: 'half', complete: false });
  });

  it('may be broken off when the time is over, though it never pauses for long', async () => {
    const server = await talking((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      const drip = setInterval(() => socket.write('.'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await post(server.port, { timeoutMs: 500 })).toMatchObject({ status: 200, complete: false });
    await eventually(() => expect(server.open).toBe(0));
  });
});

describe('no answer', () => {
  it('comes from one who takes the request and says nothing', async () => {
    const receiver = await receiving('silence');
    expect(await post(receiver.port, { timeoutMs: 500 })).toEqual(unreached('The host did not respond in time'));
    expect(receiver.received).toHaveLength(1);
  });

  it('comes with headers that never end', async () => {
    const { port } = await talking((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('A: b\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await post(port, { timeoutMs: 500 })).toEqual(unreached('The host did not respond in time'));
  });

  it('comes when the connection is cut before it, and the request is not repeated on a new connection', async () => {
    const receiver = await receiving('reset');
    expect(await post(receiver.port)).toEqual(unreached('The connection was closed before a response arrived'));
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['the connection is cut within the headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['it is in another protocol', '220 mail.example ESMTP\r\n'],
    ['its headers are too long', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('is found when %s', async (_case, words) => {
    const { port } = await talking((socket) => socket.end(words));
    expect(await post(port)).toEqual(unreached('The response is not valid HTTP/1.1'));
  });

  it('comes from where nobody listens', async () => {
    const receiver = await receiving();
    const { port } = receiver;
    await receiver.stop();
    opened.splice(opened.indexOf(receiver), 1);
    expect(await post(port)).toEqual(
      unreached(`No connection to localhost on port ${port}: the connection was refused`),
    );
  });

  it('is waited for no longer than the caller wants', async () => {
    const receiver = await receiving('silence');
    const lost = new AbortController();
    const outcome = post(receiver.port, { signal: lost.signal });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    lost.abort(new Error('The lease is lost'));
    await expect(outcome).rejects.toThrow('The lease is lost');
    await expect(post(receiver.port, { signal: lost.signal })).rejects.toThrow('The lease is lost');
    expect(receiver.received).toHaveLength(1);
  });

  it('is what half of one counts for when the caller gives up', async () => {
    const server = await talking((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    const lost = new AbortController();
    const outcome = post(server.port, { signal: lost.signal });
    await eventually(() => expect(server.requests).toHaveLength(1));
    lost.abort(new Error('The lease is lost'));
    await expect(outcome).rejects.toThrow('The lease is lost');
    await eventually(() => expect(server.open).toBe(0));
  });

  it('is not asked for when the caller gives up during the lookup', async () => {
    const lost = new AbortController();
    const client = clientWith({ resolver: () => new Promise(() => undefined) });
    const outcome = client.post(hook(443), { headers, body, signal: lost.signal });
    lost.abort(new Error('The lease is lost'));
    await expect(outcome).rejects.toThrow('The lease is lost');
  });
});

describe('TLS', () => {
  const flaw = (words: string) => unreached(`The certificate of localhost is not valid: ${words}`);
  const postTrusting = (port: number, ca: string) => clientWith({ ca }).post(hook(port), { headers, body });

  it('asks for the name, and of an address for nothing', async () => {
    const server = await talking((socket) => socket.write(ok()));
    await post(server.port);
    const byAddress = await clientWith().post(new URL(`https://127.0.0.1:${server.port}/`), { headers, body });
    expect(byAddress).toMatchObject({ status: 200 });
    expect(server.requests.map(({ servername }) => servername)).toEqual(['localhost', false]);
  });

  it('needs a certificate that somebody trusted has signed', async () => {
    const server = await talking((socket) => socket.write(ok()));
    expect(await postTrusting(server.port, selfSignedCertificate)).toEqual(flaw('its authority is not trusted'));
    const selfSigned = await talking((socket) => socket.write(ok()), { cert: selfSignedCertificate });
    expect(await post(selfSigned.port)).toEqual(flaw('it is self-signed'));
    expect([...server.requests, ...selfSigned.requests]).toEqual([]);
  });

  it('needs one that has not expired', async () => {
    const server = await talking((socket) => socket.write(ok()), { cert: expiredCertificate });
    expect(await postTrusting(server.port, expiredCertificate)).toEqual(flaw('it has expired'));
    expect(server.requests).toEqual([]);
  });

  it.each(['hooks.example', '127.0.0.2'])('needs one for the host: %s', async (host) => {
    const server = await RawTlsServer.start((socket) => socket.write(ok()), { host: '0.0.0.0' });
    opened.push(server);
    const outcome = await clientWith().post(new URL(`https://${host}:${server.port}/`), { headers, body });
    expect(outcome).toEqual(unreached(`The certificate of ${host} is not valid: it is for another host`));
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['speaks at once, in the clear', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['hangs up', undefined],
  ])('is no way to one who %s', async (_case, words) => {
    const plain = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (words === undefined ? socket.destroy() : socket.end(words)));
    }).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    opened.push({ stop: () => new Promise((closed) => void plain.close(() => closed())) });
    const { port } = plain.address() as AddressInfo;
    expect(await post(port)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining(`No TLS with localhost on port ${port}: `),
    });
  });

  it('is not waited for beyond the time', async () => {
    const mute = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    opened.push({ stop: () => new Promise((closed) => void mute.close(() => closed())) });
    const { port } = mute.address() as AddressInfo;
    expect(await post(port, { timeoutMs: 300 })).toEqual(
      unreached(`No TLS with localhost on port ${port}: no response in time`),
    );
  });
});

it('is for https, and for headers that can be sent', async () => {
  const client = clientWith();
  await expect(client.post(new URL('http://localhost/'), { headers, body })).rejects.toThrow(TypeError);
  const server = await talking((socket) => socket.write(ok()));
  const impossible = client.post(hook(server.port), { headers: { 'x-a': 'b\r\nc: d' }, body });
  await expect(impossible).rejects.toThrow('invalid x-a header');
  expect(server.requests).toEqual([]);
});
