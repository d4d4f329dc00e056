import { eventually } from '../../../test/support/eventually.js';
import {
  ok as okOf,
  RawTlsServer,
  serverAuthority,
  type RequestHandler,
} from '../../../test/support/raw-tls-server.js';
import { EgressPolicy, HttpsClient, type HttpsClientOptions } from './index.js';

/** Without the header idle connections would close after four seconds, which may be too soon on a slow machine. */
const ok = (body?: string): string => okOf(body).replace('\r\n\r\n', '\r\nKeep-Alive: timeout=60\r\n\r\n');

let client: HttpsClient;
let server: RawTlsServer;

afterEach(async () => {
  client.close();
  await server.stop();
});

async function start(handler: RequestHandler, options: Partial<HttpsClientOptions> = {}): Promise<void> {
  server = await RawTlsServer.start(handler);
  const policy = new EgressPolicy(['127.0.0.0/8']);
  client = new HttpsClient({ policy, ca: serverAuthority, resolver: async () => ['127.0.0.1'], ...options });
}

const post = () =>
  client.post(new URL(`https://localhost:${server.port}/`), {
    headers: {},
    body: Buffer.from('{}'),
    timeoutMs: 600_000,
  });
const connections = () => server.requests.map(({ connection }) => connection);

it('a connection is used for one request after the other', async () => {
  await start((socket) => socket.write(ok()));
  for (let i = 0; i < 5; i += 1) expect(await post()).toMatchObject({ status: 200, complete: true });
  expect(connections()).toEqual([1, 1, 1, 1, 1]);
});

it('as many connections are open as requests run concurrently, and they are used again', async () => {
  const waiting: (() => void)[] = [];
  await start((socket) => {
    waiting.push(() => socket.write(ok()));
    if (waiting.length === 3) for (const respond of waiting.splice(0)) respond();
  });
  await Promise.all([post(), post(), post()]);
  expect(await Promise.all([post(), post(), post()])).toMatchObject(Array(3).fill({ status: 200 }));
  expect(server.connections).toBe(3);
});

it.each([
  ['sends Connection: close', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'],
  ['sends a short Keep-Alive timeout', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=1\r\n\r\nok'],
  ['responds with HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
])('a connection is not used again if the server %s', async (_case, response) => {
  await start((socket) => socket.write(response));
  await post();
  expect(await post()).toMatchObject({ status: 200, complete: true });
  expect(connections()).toEqual([1, 2]);
});

it('a connection is not used again after its lifetime, so that DNS changes take effect', async () => {
  // The last connection closes when it has been idle for a second.
  const response = ok().replace('timeout=60', 'timeout=3');
  await start((socket) => socket.write(response), { lifetimeMs: 0 });
  await post();
  await post();
  expect(connections()).toEqual([1, 2]);
  await eventually(() => expect(server.open).toBe(0));
});

it('a connection that the server has closed is replaced', async () => {
  await start((socket) => socket.write(ok()));
  await post();
  server.endAll();
  await eventually(() => expect(server.open).toBe(0));
  expect(await post()).toMatchObject({ status: 200 });
  expect(connections()).toEqual([1, 2]);
});

it('a connection on which the server sent an unexpected response is replaced', async () => {
  await start((socket, { request }) => {
    socket.write(ok());
    if (request === 1) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  });
  await post();
  await eventually(() => expect(server.open).toBe(0));
  expect(await post()).toMatchObject({ status: 200 });
});

it('a connection that the server is closing is replaced', async () => {
  await start((socket) => socket.write(ok()));
  for (let i = 0; i < 20; i += 1) {
    server.endAll();
    expect(await post()).toMatchObject({ status: 200, complete: true });
  }
});

describe('if a connection ends when it is used again', () => {
  const closesOnReuse: RequestHandler = (socket, { connection, request }) => {
    if (connection === 1 && request > 1) socket.destroy();
    else socket.write(ok(`${request}`));
  };

  it('the request is repeated once on a new connection', async () => {
    await start(closesOnReuse);
    await post();
    expect(await post()).toMatchObject({ kind: 'response', status: 200, body: '3', complete: true });
    expect(connections()).toEqual([1, 1, 2]);
  });

  it('the request is not sent a third time', async () => {
    await start((socket, { request }) => (request === 1 ? socket.write(ok()) : socket.destroy()));
    await post();
    expect(await post()).toEqual({ kind: 'failed', reason: 'The connection was closed before a response arrived' });
    expect(connections()).toEqual([1, 1, 2]);
  });

  it('the request is not repeated after the first byte of a response', async () => {
    await start((socket, { request }) => (request === 1 ? socket.write(ok()) : socket.end('H')));
    await post();
    expect(await post()).toEqual({ kind: 'failed', reason: 'The response is not valid HTTP/1.1' });
    expect(connections()).toEqual([1, 1]);
  });

  it('the request is not repeated after the timeout', async () => {
    await start((socket, { request }) => request === 1 && socket.write(ok()));
    await post();
    const url = new URL(`https://localhost:${server.port}/`);
    const outcome = await client.post(url, { headers: {}, body: Buffer.from('{}'), timeoutMs: 300 });
    expect(outcome).toEqual({ kind: 'failed', reason: 'The host did not respond in time' });
    expect(connections()).toEqual([1, 1]);
  });
});

it('close() closes all connections, and later requests open new ones', async () => {
  await start((socket) => socket.write(ok()));
  await post();
  client.close();
  await eventually(() => expect(server.open).toBe(0));
  expect(await post()).toMatchObject({ status: 200 });
  await eventually(() => expect(server.open).toBe(0));
});

it('at most maxConnections connections stay open after their requests', async () => {
  const REQUESTS = 60;
  const waiting: (() => void)[] = [];
  await start(
    (socket) => {
      waiting.push(() => socket.write(ok()));
      if (waiting.length === REQUESTS) for (const respond of waiting) respond();
    },
    { maxConnections: 50 },
  );
  await Promise.all(Array.from({ length: REQUESTS }, post));
  expect(server.connections).toBe(REQUESTS);
  await eventually(() => expect(server.open).toBe(50));
});
