import { AddressRefused, EgressPolicy, HostUnresolvable, type HostResolver, resolvePublicHost } from './index.js';

const publicOnly = new EgressPolicy([]);
const loopback = new EgressPolicy(['127.0.0.0/8', '::1/128']);

/** A resolver that claims whatever it is told to, and the names it was asked for. */
function lying(...addresses: string[]) {
  const asked: string[] = [];
  const resolver: HostResolver = async (name) => {
    asked.push(name);
    return addresses;
  };
  return { resolver, asked };
}

it('gives all addresses of a public host, each once, in the order of the resolver', async () => {
  const { resolver, asked } = lying('2606:4700::1111', '8.8.8.8', '1.1.1.1', '8.8.8.8');
  const addresses = await resolvePublicHost('Mail.Bücher.example.', publicOnly, { resolver });
  expect(addresses).toEqual(['2606:4700::1111', '8.8.8.8', '1.1.1.1']);
  expect(asked).toEqual(['mail.xn--bcher-kva.example']);
});

it.each([
  [['10.0.0.1']],
  [['8.8.8.8', '10.0.0.1']],
  [['10.0.0.1', '8.8.8.8']],
  [['2606:4700::1111', '::ffff:169.254.169.254']],
  [['8.8.8.8', 'inside.example']],
])('refuses a host at %j, without telling where it is', async (addresses) => {
  const refusal = await resolvePublicHost('mail.example', publicOnly, lying(...addresses)).catch((e: unknown) => e);
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
])('refuses %s and asks no resolver', async (host) => {
  const { resolver, asked } = lying('8.8.8.8');
  await expect(resolvePublicHost(host, publicOnly, { resolver })).rejects.toThrow(AddressRefused);
  expect(asked).toEqual([]);
});

it('takes a public address as it stands', async () => {
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
  'does not ask for %j, which is no host name',
  async (host) => {
    const { resolver, asked } = lying('8.8.8.8');
    await expect(resolvePublicHost(host, publicOnly, { resolver })).rejects.toThrow(
      new HostUnresolvable('The host name is malformed'),
    );
    expect(asked).toEqual([]);
  },
);

it('says so when there is no address', async () => {
  const none = { name: 'HostUnresolvable', message: 'No address was found for the host mail.example' };
  await expect(resolvePublicHost('mail.example', publicOnly, lying())).rejects.toMatchObject(none);
  const resolver = () => Promise.reject(new Error('queryA ESERVFAIL 10.0.0.53'));
  await expect(resolvePublicHost('mail.example', publicOnly, { resolver })).rejects.toMatchObject(none);
});

it('does not wait for a resolver that stays silent', async () => {
  const resolver = () => new Promise<string[]>(() => undefined);
  await expect(resolvePublicHost('mail.example', publicOnly, { resolver, timeoutMs: 10 })).rejects.toThrow(
    new HostUnresolvable('Looking up the host mail.example took too long'),
  );
});
