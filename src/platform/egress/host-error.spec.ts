import { EgressPolicy, hostError } from './index.js';

const publicOnly = new EgressPolicy([]);
const nowhere = { resolver: async () => [] };
const at = (...addresses: string[]) => ({ resolver: async () => addresses });

it('a public host has none', async () => {
  expect(await hostError('hooks.example', publicOnly, at('8.8.8.8', '2606:4700::1111'))).toBeUndefined();
  expect(await hostError('8.8.8.8', publicOnly, nowhere)).toBeUndefined();
});

it.each([
  ['hooks.example', at('10.0.0.1')],
  ['hooks.example', at('8.8.8.8', '10.0.0.1')],
  ['127.1', nowhere],
  ['[::1]', nowhere],
])('%s is not public where it is', async (host, resolution) => {
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
])('%s is not public, as nobody can know where it is', async (host) => {
  const name = host.replace(/\.$/, '');
  expect(await hostError(host, publicOnly, nowhere)).toBe(`The host ${name} is not public.`);
});

it.each(['hooks.example', 'a.test', 'internal.example.com', 'local.dev'])('%s may be public tomorrow', async (host) => {
  expect(await hostError(host, publicOnly, nowhere)).toBeUndefined();
  const broken = { resolver: () => Promise.reject(new Error('queryA ESERVFAIL')) };
  expect(await hostError(host, publicOnly, broken)).toBeUndefined();
});

it.each(['relay', 'localhost', 'api.internal'])('%s is where it resolves to, when that is allowed', async (host) => {
  expect(await hostError(host, new EgressPolicy(['10.0.0.0/8']), at('10.0.0.1'))).toBeUndefined();
});

it('a text that is no host has one', async () => {
  expect(await hostError('a..b', publicOnly, nowhere)).toBe('The host name is malformed.');
});

it('what goes wrong here is not the fault of the host', async () => {
  const failing = new EgressPolicy([]);
  failing.allows = () => {
    throw new TypeError('broken');
  };
  await expect(hostError('hooks.example', failing, at('8.8.8.8'))).rejects.toThrow(TypeError);
});
