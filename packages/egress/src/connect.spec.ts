import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { TIME_FACTOR } from '../../../test/support/eventually.js';
import { AddressRefused, connect, EgressPolicy, HostUnreachable, HostUnresolvable } from './index.js';

const policy = new EgressPolicy(['127.0.0.0/8']);
const timeoutMs = 600_000;
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

it('resolves the name once, so that a later change of DNS has no effect', async () => {
  const responses = [['127.0.0.1'], ['169.254.169.254']];
  const resolver = async () => responses.shift() ?? [];
  const socket = await connect({ host: 'rebinding.example', port, timeoutMs, policy, resolver });
  expect(await greeting(socket)).toBe('220 welcome\r\n');
  expect(responses).toEqual([['169.254.169.254']]);
});

it('tries the next address if one refuses the connection', async () => {
  const resolver = async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1'];
  const socket = await connect({ host: 'mail.example', port, timeoutMs, policy, resolver });
  expect(socket.remoteAddress).toBe('127.0.0.1');
  expect(await greeting(socket)).toBe('220 welcome\r\n');
});

it('opens no connection if one of the addresses is not public', async () => {
  const onConnection = jest.fn();
  server.on('connection', onConnection);
  const resolver = async () => ['127.0.0.1', '10.0.0.1'];
  await expect(connect({ host: 'mail.example', port, timeoutMs, policy, resolver })).rejects.toThrow(AddressRefused);
  await expect(connect({ host: '127.1', port, timeoutMs, policy: new EgressPolicy([]) })).rejects.toThrow(
    AddressRefused,
  );
  await greeting(await connect({ host: '127.0.0.1', port, timeoutMs, policy }));
  expect(onConnection).toHaveBeenCalledTimes(1);
});

it('throws HostUnreachable with the reason and without the address', async () => {
  const resolver = async () => ['127.0.0.2', '127.0.0.3'];
  const failure = await connect({ host: 'mail.example', port, timeoutMs, policy, resolver }).catch((e: unknown) => e);
  expect(failure).toBeInstanceOf(HostUnreachable);
  expect(failure).toHaveProperty(
    'message',
    `No connection to mail.example on port ${port}: the connection was refused`,
  );
  expect(failure).toHaveProperty('cause.code', 'ECONNREFUSED');
});

it('applies the timeout to the lookup', async () => {
  const resolver = () => new Promise<string[]>(() => undefined);
  await expect(connect({ host: 'mail.example', port, timeoutMs: 10, policy, resolver })).rejects.toThrow(
    HostUnresolvable,
  );
});

describe('if an address does not respond', () => {
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

  it('throws HostUnreachable after the timeout', async () => {
    const attempt = connect({ host: '127.0.0.2', port, timeoutMs: 100, policy });
    await expect(attempt).rejects.toThrow(`No connection to 127.0.0.2 on port ${port}: no response in time`);
  });

  it('leaves time for the next address', async () => {
    const resolver = async () => ['127.0.0.2', '127.0.0.1'];
    const socket = await connect({
      host: 'mail.example',
      port,
      timeoutMs: 4_000 * Math.min(TIME_FACTOR, 5),
      policy,
      resolver,
    });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(await greeting(socket)).toBe('220 welcome\r\n');
  });
});
