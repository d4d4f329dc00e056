import { AddressRefused, EgressPolicy, HostUnresolvable, type HostResolver, resolvePublicHost } from './index.js';

const publicOnly = new EgressPolicy([]);
const loopback = new EgressPolicy(['127.0.0.0/8', '::1/128']);

/** A resolver that returns these addresses, and the names that it was called with. */
function resolving(...addresses: string[]) {
  const lookups: string[] = [];
  const resolver: HostResolver = async (name) => {
    lookups.push(name);
    return addresses;
  };
  return { resolver, lookups };
}

it('returns all addresses of a public host, each once, in the order of the resolver', async () => {
  const { resolver, lookups } = resolving('2606:4700::1111', '8.8.8.8', '1.1.1.1', '8.8.8.8');
  const addresses = await resolvePublicHost('Mail.Bücher.example.', publicOnly, { resolver });
  expect(addresses).toEqual(['2606:4700::1111', '8.8.8.8', '1.1.1.1']);
  expect(lookups).toEqual(['mail.xn--bcher-kva.example']);
});

it.each([
  [['10.0.0.1']],
  [['8.8.8.8', '10.0.0.1']],
  [['10.0.0.1', '8.8.8.8']],
  [['2606:4700::1111', '::ffff:169.254.169.254']],
  [['8.8.8.8', 'internal.example']],
])('refuses a host with the addresses %j without naming them', async (addresses) => {
  const refusal = await resolvePublicHost('mail.example', publicOnly, resolving(...addresses)).catch((e: unknown) => e);
  expect(refusal).toBeInstanceOf(AddressRefused);
  expect(refusal).toHaveProperty('message', 'The host mail.example is not public');
});

it.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '１２７.1',
  '[::1]',
  '::ffff:10.0.0.1',
  '[64:ff9b::a00:1]',
])('refuses %s without a lookup', async (host) => {
  const { resolver, lookups } = resolving('8.8.8.8');
  await expect(resolvePublicHost(host, publicOnly, { resolver })).rejects.toThrow(AddressRefused);
  expect(lookups).toEqual([]);
});

it('returns a public address without a lookup', async () => {
  await expect(resolvePublicHost('[2606:4700::1111]', publicOnly)).resolves.toEqual(['2606:4700::1111']);
  await expect(resolvePublicHost('134744072', publicOnly)).resolves.toEqual(['8.8.8.8']);
});

it('reads the hosts file', async () => {
  await expect(resolvePublicHost('localhost', publicOnly)).rejects.toThrow(AddressRefused);
  const addresses = await resolvePublicHost('localhost', loopback);
  expect(addresses.length).toBeGreaterThan(0);
  expect(addresses.every((address) => loopback.allows(address))).toBe(true);
});

it.each(['', 'a..b', 'user@mail.example', 'mail.example:25', `${'a'.repeat(64)}.example`])(
  'refuses %j, which is not a host name, without a lookup',
  async (host) => {
    const { resolver, lookups } = resolving('8.8.8.8');
    await expect(resolvePublicHost(host, publicOnly, { resolver })).rejects.toThrow(
      new HostUnresolvable('The host name is malformed'),
    );
    expect(lookups).toEqual([]);
  },
);

it('throws HostUnresolvable if there is no address', async () => {
  const none = { name: 'HostUnresolvable', message: 'No address was found for the host mail.example' };
  await expect(resolvePublicHost('mail.example', publicOnly, resolving())).rejects.toMatchObject(none);
  const resolver = () => Promise.reject(new Error('queryA ESERVFAIL 10.0.0.53'));
  await expect(resolvePublicHost('mail.example', publicOnly, { resolver })).rejects.toMatchObject(none);
});

it('throws HostUnresolvable if the resolver does not respond in time', async () => {
  const resolver = () => new Promise<string[]>(() => undefined);
  await expect(resolvePublicHost('mail.example', publicOnly, { resolver, timeoutMs: 10 })).rejects.toThrow(
    new HostUnresolvable('Looking up the host mail.example took too long'),
  );
});
