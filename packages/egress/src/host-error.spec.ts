import { EgressPolicy, hostError, urlHostError } from './index.js';

const publicOnly = new EgressPolicy([]);
const noAddress = { resolver: async () => [] };
const at = (...addresses: string[]) => ({ resolver: async () => addresses });

it('returns undefined for a public host', async () => {
  expect(await hostError('hooks.example', publicOnly, at('8.8.8.8', '2606:4700::1111'))).toBeUndefined();
  expect(await hostError('8.8.8.8', publicOnly, noAddress)).toBeUndefined();
});

it.each([
  ['hooks.example', at('10.0.0.1')],
  ['hooks.example', at('8.8.8.8', '10.0.0.1')],
  ['127.1', noAddress],
  ['[::1]', noAddress],
])('returns an error for %s, which resolves to an address that is not public', async (host, resolution) => {
  expect(await hostError(host, publicOnly, resolution)).toMatch(/^The host \S+ is not public\.$/);
});

it.each([
  'localhost',
  'relay',
  'relay.',
  'a.localhost',
  'a.invalid',
  'printer.local',
  'api.internal',
  'router.home.arpa',
  '1.0.0.10.in-addr.arpa',
  'a.onion',
  'a.alt',
  'a.lan',
])('returns an error for %s, which can never be public', async (host) => {
  const name = host.replace(/\.$/, '');
  expect(await hostError(host, publicOnly, noAddress)).toBe(`The host ${name} is not public.`);
});

it.each(['hooks.example', 'a.test', 'internal.example.com', 'local.dev'])(
  'returns undefined for %s, which has no address yet',
  async (host) => {
    expect(await hostError(host, publicOnly, noAddress)).toBeUndefined();
    const broken = { resolver: () => Promise.reject(new Error('queryA ESERVFAIL')) };
    expect(await hostError(host, publicOnly, broken)).toBeUndefined();
  },
);

it.each(['relay', 'localhost', 'api.internal'])(
  'returns undefined for %s if its address is in an allowed range',
  async (host) => {
    expect(await hostError(host, new EgressPolicy(['10.0.0.0/8']), at('10.0.0.1'))).toBeUndefined();
  },
);

it('says who can allow the host, if the policy knows it', async () => {
  const policy = new EgressPolicy([], 'Ask the operator.');
  expect(await hostError('10.0.0.1', policy)).toBe('The host 10.0.0.1 is not public. Ask the operator.');
  expect(await urlHostError(new URL('http://127.0.0.1/'), policy)).toBe(
    'The URL must start with https:// and name a host. http:// is only for hosts in networks that are allowed. Ask the operator.',
  );
});

it('returns an error for text that is not a host', async () => {
  expect(await hostError('a..b', publicOnly, noAddress)).toBe('The host name is malformed.');
});

it('throws other errors', async () => {
  const failing = new EgressPolicy([]);
  failing.allows = () => {
    throw new TypeError('broken');
  };
  await expect(hostError('hooks.example', failing, at('8.8.8.8'))).rejects.toThrow(TypeError);
});
