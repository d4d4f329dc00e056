import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { ok, RawTlsServer, serverAuthority, type RequestHandler } from '../../../test/support/raw-tls-server.js';
import { EgressPolicy, HttpsClient, type HttpsClientOptions } from './index.js';

let client: HttpsClient;
let server: RawTlsServer;

afterEach(async () => {
  client.close();
  await server.stop();
});

async function start(talk: RequestHandler, options: Partial<HttpsClientOptions> = {}): Promise<void> {
  server = await RawTlsServer.start(talk);
  const policy = new EgressPolicy(['127.0.0.0/8']);
  client = new HttpsClient({ policy, ca: serverAuthority, resolver: async () => ['127.0.0.1'], ...options });
}

const post = () =>
  client.post(new URL(`https://localhost:${server.port}/`), {
    headers: {},
    body: Buffer.from('{}'),
    timeoutMs: 60_000,
  });
const connections = () => server.requests.map(({ connection }) => connection);

it('a connection takes one request after the other', async () => {
  await start((socket) => socket.write(ok()));
  for (let i = 0; i < 5; i += 1) expect(await post()).toMatchObject({ status: 200, complete: true });
  expect(connections()).toEqual([1, 1, 1, 1, 1]);
});

it('as many are open as requests run at once, and they are used again', async () => {
  const waiting: (() => void)[] = [];
  await start((socket) => {
    waiting.push(() => socket.write(ok()));
    if (waiting.length === 3) for (const answer of waiting.splice(0)) answer();
  });
  await Promise.all([post(), post(), post()]);
  expect(await Promise.all([post(), post(), post()])).toMatchObject(Array(3).fill({ status: 200 }));
  expect(server.connections).toBe(3);
});

it.each([
  ['says so', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'],
  ['keeps it for too short a time', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=1\r\n\r\nok'],
  ['is of the old kind', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
])('one is not used again where the server %s', async (_case, answer) => {
  await start((socket) => socket.write(answer));
  await post();
  expect(await post()).toMatchObject({ status: 200, complete: true });
  expect(connections()).toEqual([1, 2]);
});

it('one that is too old is not used again, so that a change in DNS is noticed', async () => {
  await start((socket) => socket.write(ok()), { lifetimeMs: 1 });
  await post();
  await pause(20);
  await post();
  expect(connections()).toEqual([1, 2]);
  await eventually(() => expect(server.open).toBe(0));
});

it('one that the server has closed is replaced', async () => {
  await start((socket) => socket.write(ok()));
  await post();
  server.endAll();
  await eventually(() => expect(server.open).toBe(0));
  expect(await post()).toMatchObject({ status: 200 });
  expect(connections()).toEqual([1, 2]);
});

it('one that said something unasked is replaced', async () => {
  await start((socket, { request }) => {
    socket.write(ok());
    if (request === 1) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  });
  await post();
  await eventually(() => expect(server.open).toBe(0));
  expect(await post()).toMatchObject({ status: 200 });
});

it('one that the server is about to close may still be tried, and is replaced', async () => {
  await start((socket) => socket.write(ok()));
  for (let i = 0; i < 20; i += 1) {
    server.endAll();
    expect(await post()).toMatchObject({ status: 200, complete: true });
  }
});

describe('when a connection ends as it is used again', () => {
  const closesOnReuse: RequestHandler = (socket, { connection, request }) => {
    if (connection === 1 && request > 1) socket.destroy();
    else socket.write(ok(`${request}`));
  };

  it('the request is sent once more, on a new one', async () => {
    await start(closesOnReuse);
    await post();
    expect(await post()).toMatchObject({ kind: 'response', status: 200, body: '3', complete: true });
    expect(connections()).toEqual([1, 1, 2]);
  });

  it('it is sent no third time', async () => {
    await start((socket, { request }) => (request === 1 ? socket.write(ok()) : socket.destroy()));
    await post();
    expect(await post()).toEqual({ kind: 'failed', reason: 'The connection was closed before a response arrived' });
    expect(connections()).toEqual([1, 1, 2]);
  });

  it('it is not sent again after the first byte of an answer', async () => {
    await start((socket, { request }) => (request === 1 ? socket.write(ok()) : socket.end('H')));
    await post();
    expect(await post()).toEqual({ kind: 'failed', reason: 'The response is not valid HTTP/1.1' });
    expect(connections()).toEqual([1, 1]);
  });

  it('nor when the time is over', async () => {
    await start((socket, { request }) => request === 1 && socket.write(ok()));
    await post();
    const url = new URL(`https://localhost:${server.port}/`);
    const outcome = await client.post(url, { headers: {}, body: Buffer.from('{}'), timeoutMs: 300 });
    expect(outcome).toEqual({ kind: 'failed', reason: 'The host did not respond in time' });
    expect(connections()).toEqual([1, 1]);
  });
});

it('all are let go with the client', async () => {
  await start((socket) => socket.write(ok()));
  await post();
  client.close();
  await eventually(() => expect(server.open).toBe(0));
  expect(await post()).toMatchObject({ status: 200 });
  await eventually(() => expect(server.open).toBe(0));
});

it('no more than some hundreds wait', async () => {
  const MANY = 520;
  const waiting: (() => void)[] = [];
  await start(
    (socket) => {
      waiting.push(() => socket.write(ok()));
      if (waiting.length === MANY) for (const answer of waiting) answer();
    },
    { maxConnections: 500 },
  );
  await Promise.all(Array.from({ length: MANY }, post));
  await eventually(() => expect(server.open).toBe(500));
});
