import { setTimeout as pause } from 'node:timers/promises';
import { FakeDns } from '../../../test/support/fake-dns.js';
import { ok, RawTlsServer, serverAuthority } from '../../../test/support/raw-tls-server.js';
import { EgressPolicy, HttpsClient, type HttpsClientOptions, publicHttpsUrl } from './index.js';

const loopback = new EgressPolicy(['127.0.0.1/32', '::1/128']);
const refused = (host: string) => ({ kind: 'failed', reason: `The host ${host} is not public` });
let dns: FakeDns;
let server: RawTlsServer;
let client: HttpsClient;

beforeEach(async () => {
  dns = await FakeDns.start();
  server = await RawTlsServer.start((socket) => socket.write(ok()), { host: '0.0.0.0' });
  client = clientWith();
});

afterEach(async () => {
  client.close();
  await server.stop();
  await dns.stop();
});

const clientWith = (options: Partial<HttpsClientOptions> = {}) =>
  new HttpsClient({ policy: loopback, ca: serverAuthority, resolver: dns.resolver, ...options });

function post(host: string, from = client) {
  const check = publicHttpsUrl(`https://${host}:${server.port}/`);
  if ('error' in check) throw new Error(check.error);
  return from.post(check.url, { headers: {}, body: Buffer.from('{}'), timeoutMs: 5_000 });
}

it('is found through DNS', async () => {
  dns.answers('localhost', ['127.0.0.1']);
  expect(await post('LOCALHOST.')).toMatchObject({ kind: 'response', status: 200 });
  expect(dns.lookups).toEqual(['localhost']);
  expect(await post('nobody.example')).toEqual({
    kind: 'failed',
    reason: 'No address was found for the host nobody.example',
  });
});

it('is looked up once for a connection: what DNS says next is not asked (rebinding)', async () => {
  dns.answers('localhost', ['127.0.0.1'], ['127.0.0.2']);
  expect(await post('localhost')).toMatchObject({ status: 200 });
  expect(dns.lookups).toEqual(['localhost']);
  expect(server.connections).toBe(1);
});

it('is looked up and judged anew for the next connection', async () => {
  dns.answers('localhost', ['127.0.0.1'], ['127.0.0.2']);
  const forgetful = clientWith({ lifetimeMs: 1 });
  expect(await post('localhost', forgetful)).toMatchObject({ status: 200 });
  await pause(20);
  expect(await post('localhost', forgetful)).toEqual(refused('localhost'));
  expect(dns.lookups).toEqual(['localhost', 'localhost']);
  expect(server.connections).toBe(1);
});

it.each([
  ['an address inside', ['10.0.0.1']],
  ['one address inside among others', ['127.0.0.1', '169.254.169.254']],
  ['one inside that comes first', ['10.0.0.1', '127.0.0.1']],
  ['another family inside', ['127.0.0.1', 'fd00::1']],
  ['an IPv4 address inside in the clothes of IPv6', ['::ffff:10.0.0.1']],
  ['the same through NAT64', ['64:ff9b::a00:1']],
  ['a name that leads inside', ['cdn.example']],
  ['a name that leads to a name that leads inside', ['far.example']],
])('is refused with %s', async (_case, said) => {
  dns.answers('hooks.example', said);
  dns.answers('far.example', ['cdn.example']);
  dns.answers('cdn.example', ['127.0.0.1', '192.168.0.1']);
  expect(await post('hooks.example')).toEqual(refused('hooks.example'));
  expect(server.connections).toBe(0);
});

it('may be behind other names', async () => {
  dns.answers('localhost', ['cdn.example']);
  dns.answers('cdn.example', ['127.0.0.1']);
  expect(await post('localhost')).toMatchObject({ status: 200 });
});

it('is not waited for when DNS is silent', async () => {
  dns.stopAnswering();
  const url = new URL(`https://localhost:${server.port}/`);
  const outcome = await client.post(url, { headers: {}, body: Buffer.from('{}'), timeoutMs: 300 });
  expect(outcome).toEqual({ kind: 'failed', reason: 'Looking up the host localhost took too long' });
});

describe.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0x7f.0.0.1', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['%31%32%37.0.0.1', '127.0.0.1'],
  ['１２７.0.0.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
])('%s', (spelling, host) => {
  it('is refused without asking anybody', async () => {
    expect(await post(spelling, clientWith({ policy: new EgressPolicy([]) }))).toEqual(refused(host));
    expect(dns.lookups).toEqual([]);
    expect(server.connections).toBe(0);
  });

  it('is reached where its address is allowed', async () => {
    // The certificate names 127.0.0.1, which the mapped form is not, though it leads there.
    const outcome = spelling.startsWith('[')
      ? { kind: 'failed', reason: `The certificate of ${host} is not valid: it is for another host` }
      : { kind: 'response', status: 200 };
    expect(await post(spelling)).toMatchObject(outcome);
  });
});

it.each(['0', '0.0.0.0', '[::]', '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:2]', '[2002:7f00:2::]', '[fe80::1]', '[::1]'])(
  '%s is refused as what it means',
  async (spelling) => {
    const outcome = await post(spelling, clientWith({ policy: new EgressPolicy(['10.0.0.0/8']) }));
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/^The host .* is not public$/) });
    expect(server.connections).toBe(0);
  },
);

it('may be at an address of IPv6', async () => {
  const other = await RawTlsServer.start((socket) => socket.write(ok()), { host: '::1' });
  const url = new URL(`https://[0:0::1]:${other.port}/`);
  const outcome = await client.post(url, { headers: {}, body: Buffer.from('{}') });
  await other.stop();
  expect(outcome).toMatchObject({ status: 200 });
});
