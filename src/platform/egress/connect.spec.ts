import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { AddressRefused, connect, EgressPolicy, HostUnreachable, HostUnresolvable } from './index.js';

const policy = new EgressPolicy(['127.0.0.0/8']);
const timeoutMs = 10_000;
let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer((socket) => socket.end('220 welcome\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});

afterEach(() => new Promise((closed) => server.close(closed)));

async function greeting(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return bytes.toString();
}

it('connects to a host in an allowed range', async () => {
  const socket = await connect({ host: '127.0.0.1', port, timeoutMs, policy });
  expect(socket.remoteAddress).toBe('127.0.0.1');
  expect(await greeting(socket)).toBe('220 welcome\r\n');
});

it('resolves once: what the name means later is not asked', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  const resolver = async () => answers.shift() ?? [];
  const socket = await connect({ host: 'rebinding.example', port, timeoutMs, policy, resolver });
  expect(await greeting(socket)).toBe('220 welcome\r\n');
  expect(answers).toEqual([['169.254.169.254']]);
});

it('goes on to the next address when one does not answer', async () => {
  const resolver = async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1'];
  const socket = await connect({ host: 'mail.example', port, timeoutMs, policy, resolver });
  expect(socket.remoteAddress).toBe('127.0.0.1');
  expect(await greeting(socket)).toBe('220 welcome\r\n');
});

it('opens nothing when one of the addresses is not public', async () => {
  const met = jest.fn();
  server.on('connection', met);
  const resolver = async () => ['127.0.0.1', '10.0.0.1'];
  await expect(connect({ host: 'mail.example', port, timeoutMs, policy, resolver })).rejects.toThrow(AddressRefused);
  await expect(connect({ host: '127.1', port, timeoutMs, policy: new EgressPolicy([]) })).rejects.toThrow(
    AddressRefused,
  );
  await greeting(await connect({ host: '127.0.0.1', port, timeoutMs, policy }));
  expect(met).toHaveBeenCalledTimes(1);
});

it('tells what failed, and not at which address', async () => {
  const resolver = async () => ['127.0.0.2', '127.0.0.3'];
  const failure = await connect({ host: 'mail.example', port, timeoutMs, policy, resolver }).catch((e: unknown) => e);
  expect(failure).toBeInstanceOf(HostUnreachable);
  expect(failure).toHaveProperty(
    'message',
    `No connection to mail.example on port ${port}: the connection was refused`,
  );
  expect(failure).toHaveProperty('cause.code', 'ECONNREFUSED');
});

it('bounds the lookup by the same timeout', async () => {
  const resolver = () => new Promise<string[]>(() => undefined);
  await expect(connect({ host: 'mail.example', port, timeoutMs: 10, policy, resolver })).rejects.toThrow(
    HostUnresolvable,
  );
});

describe('beside a listener that accepts nobody', () => {
  const blocked = `
    const { parentPort, workerData } = require('node:worker_threads');
    require('node:net').createServer().listen({ ...workerData, backlog: 1 }, () => {
      parentPort.postMessage('listening');
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });`;
  let worker: Worker;
  let queue: Socket[];

  beforeEach(async () => {
    const silent = { host: '127.0.0.2', port };
    worker = new Worker(blocked, { eval: true, workerData: silent });
    await once(worker, 'message');
    const first = createConnection(silent);
    queue = [first, ...Array.from({ length: 7 }, () => createConnection(silent))];
    for (const socket of queue) socket.on('error', () => undefined);
    await once(first, 'connect');
  });

  afterEach(async () => {
    for (const socket of queue) socket.destroy();
    await worker.terminate();
  });

  it('gives up when the time is over', async () => {
    const attempt = connect({ host: '127.0.0.2', port, timeoutMs: 100, policy });
    await expect(attempt).rejects.toThrow(`No connection to 127.0.0.2 on port ${port}: no response in time`);
  });

  it('leaves the next address its share of the time', async () => {
    const resolver = async () => ['127.0.0.2', '127.0.0.1'];
    const socket = await connect({ host: 'mail.example', port, timeoutMs: 1_000, policy, resolver });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(await greeting(socket)).toBe('220 welcome\r\n');
  });
});
