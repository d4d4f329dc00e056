import { scrypt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../../test/support/eventually.js';
import { FakeDns } from '../../../test/support/fake-dns.js';
import { createSystemResolver, EgressPolicy, resolvePublicHost } from './index.js';

/** Many more than the threads of a process. */
const SILENT_LOOKUPS = 300;

let dns: FakeDns;
let folder: string;
beforeAll(async () => {
  dns = await FakeDns.start();
  folder = await mkdtemp(join(tmpdir(), 'hosts-'));
});
afterAll(async () => {
  await dns.stop();
  await rm(folder, { recursive: true });
});

const resolver = (hostsFile?: string) =>
  createSystemResolver({ servers: [dns.address], ...(hostsFile ? { hostsFile } : {}) });

it('returns the addresses of both families, IPv4 first', async () => {
  dns.answers('mail.example', ['2606:4700::1111', '8.8.8.8', '1.1.1.1']);
  expect(await resolver()('mail.example')).toEqual(['8.8.8.8', '1.1.1.1', '2606:4700::1111']);
});

it('returns the addresses of one family if the name has no other, and those of a CNAME', async () => {
  dns.answers('six.example', ['2606:4700::1111']);
  dns.answers('alias.example', ['six.example']);
  expect(await resolver()('alias.example')).toEqual(['2606:4700::1111']);
});

it('rejects if the name does not exist', async () => {
  await expect(resolver()('missing.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('prefers the hosts file to DNS', async () => {
  const file = join(folder, 'hosts');
  await writeFile(file, '# none\n10.0.0.7\tRelay.Example  other.example # a relay\n\n::7 relay.example\n');
  dns.answers('relay.example', ['8.8.8.8']);
  expect(await resolver(file)('relay.example')).toEqual(['10.0.0.7', '::7']);
  expect(await resolver(file)('other.example')).toEqual(['10.0.0.7']);
});

it('uses DNS if there is no hosts file', async () => {
  dns.answers('mail.example', ['8.8.8.8']);
  expect(await resolver(join(folder, 'missing'))('mail.example')).toEqual(['8.8.8.8']);
});

it('leaves names without a dot to the operating system', async () => {
  const addresses = await resolver()('localhost');
  expect(addresses).toContain('127.0.0.1');
});

it('delays neither other lookups nor the file system nor hashes while a name server is silent', async () => {
  const silent = await FakeDns.start();
  silent.stopAnswering();
  const policy = new EgressPolicy([]);
  const options = { resolver: createSystemResolver({ servers: [silent.address] }) };
  dns.answers('mail.example', ['8.8.8.8']);
  // Repeated if the lookups have ended before: they do so after some seconds, which may be too soon on a slow machine.
  await eventually(async () => {
    let ended = 0;
    const lookups = Array.from({ length: SILENT_LOOKUPS }, (_, index) =>
      resolvePublicHost(`${index}.example`, policy, options).finally(() => (ended += 1)),
    );
    const results = Promise.allSettled(lookups);
    await promisify(scrypt)('password', 'salt', 32);
    await writeFile(join(folder, 'file'), 'text');
    expect(await createSystemResolver()('localhost')).toContain('127.0.0.1');
    expect(await resolver()('mail.example')).toEqual(['8.8.8.8']);
    const endedBefore = ended;
    expect((await results).every(({ status }) => status === 'rejected')).toBe(true);
    expect(endedBefore).toBe(0);
  });
  await silent.stop();
});

it('ends a lookup whose result is not needed any more', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const resolve = createSystemResolver({ servers: [`127.0.0.1:${silent.address().port}`] });
  const leaving = new AbortController();
  const lookup = resolve('mail.example', leaving.signal);
  await once(silent, 'message');
  leaving.abort();
  await expect(lookup).rejects.toMatchObject({ code: 'ECANCELLED' });
  await expect(resolve('mail.example', leaving.signal)).rejects.toMatchObject({ name: 'AbortError' });
  silent.close();
});
