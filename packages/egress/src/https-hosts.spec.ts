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
  return from.post(check.url, { headers: {}, body: Buffer.from('{}'), timeoutMs: 600_000 });
}

it('a host is resolved with DNS', async () => {
  dns.answers('localhost', ['127.0.0.1']);
  expect(await post('LOCALHOST.')).toMatchObject({ kind: 'response', status: 200 });
  expect(dns.lookups).toEqual(['localhost']);
  expect(await post('nobody.example')).toEqual({
    kind: 'failed',
    reason: 'No address was found for the host nobody.example',
  });
});

it('a host is resolved once for a connection, so that DNS rebinding has no effect', async () => {
  dns.answers('localhost', ['127.0.0.1'], ['127.0.0.2']);
  expect(await post('localhost')).toMatchObject({ status: 200 });
  expect(dns.lookups).toEqual(['localhost']);
  expect(server.connections).toBe(1);
});

it('a host is resolved and checked again for the next connection', async () => {
  dns.answers('localhost', ['127.0.0.1'], ['127.0.0.2']);
  const shortLived = clientWith({ lifetimeMs: 0 });
  expect(await post('localhost', shortLived)).toMatchObject({ status: 200 });
  expect(await post('localhost', shortLived)).toEqual(refused('localhost'));
  expect(dns.lookups).toEqual(['localhost', 'localhost']);
  expect(server.connections).toBe(1);
});

it.each([
  ['a private address', ['10.0.0.1']],
  ['a private address after a public one', ['127.0.0.1', '169.254.169.254']],
  ['a private address before a public one', ['10.0.0.1', '127.0.0.1']],
  ['a private address of the other family', ['127.0.0.1', 'fd00::1']],
  ['a private IPv4 address in IPv6 notation', ['::ffff:10.0.0.1']],
  ['a private address through NAT64', ['64:ff9b::a00:1']],
  ['a CNAME of a private address', ['cdn.example']],
  ['a CNAME of a CNAME of a private address', ['far.example']],
])('a host is refused if it has %s', async (_case, addresses) => {
  dns.answers('hooks.example', addresses);
  dns.answers('far.example', ['cdn.example']);
  dns.answers('cdn.example', ['127.0.0.1', '192.168.0.1']);
  expect(await post('hooks.example')).toEqual(refused('hooks.example'));
  expect(server.connections).toBe(0);
});

it('a host is reached through a CNAME', async () => {
  dns.answers('localhost', ['cdn.example']);
  dns.answers('cdn.example', ['127.0.0.1']);
  expect(await post('localhost')).toMatchObject({ status: 200 });
});

it('a host fails after the timeout if DNS does not respond', async () => {
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
  it('is refused without a DNS lookup', async () => {
    expect(await post(spelling, clientWith({ policy: new EgressPolicy([]) }))).toEqual(refused(host));
    expect(dns.lookups).toEqual([]);
    expect(server.connections).toBe(0);
  });

  it('is reached if its address is allowed', async () => {
    // The certificate is for 127.0.0.1. The mapped address reaches the same host, but is another name.
    const outcome = spelling.startsWith('[')
      ? { kind: 'failed', reason: `The certificate of ${host} is not valid: it is for another host` }
      : { kind: 'response', status: 200 };
    expect(await post(spelling)).toMatchObject(outcome);
  });
});

it.each(['0', '0.0.0.0', '[::]', '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:2]', '[2002:7f00:2::]', '[fe80::1]', '[::1]'])(
  '%s is refused as the address that it means',
  async (spelling) => {
    const outcome = await post(spelling, clientWith({ policy: new EgressPolicy(['10.0.0.0/8']) }));
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/^The host .* is not public$/) });
    expect(server.connections).toBe(0);
  },
);

it('a host is reached at an IPv6 address', async () => {
  const other = await RawTlsServer.start((socket) => socket.write(ok()), { host: '::1' });
  const url = new URL(`https://[0:0::1]:${other.port}/`);
  const outcome = await client.post(url, { headers: {}, body: Buffer.from('{}') });
  await other.stop();
  expect(outcome).toMatchObject({ status: 200 });
});
