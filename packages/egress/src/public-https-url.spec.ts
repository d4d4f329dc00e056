import fc from 'fast-check';
import { isIP } from 'node:net';
import { normalizeHost, publicHttpsUrl } from './index.js';

it.each([
  ['https://hooks.example/a?b=c', 'https://hooks.example/a?b=c'],
  ['HTTPS://Hooks.EXAMPLE', 'https://hooks.example/'],
  ['http://relay:8080/a', 'http://relay:8080/a'],
  ['https://hooks.example:443/', 'https://hooks.example/'],
  ['https://hooks.example:8443/', 'https://hooks.example:8443/'],
  ['https://hooks.example./', 'https://hooks.example./'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['https://hooks.example?to=a@b', 'https://hooks.example/?to=a@b'],
  ['https://hooks.example/@b', 'https://hooks.example/@b'],
  ['https://localhost/', 'https://localhost/'],
  ['https://relay/', 'https://relay/'],
  ['https://0x7f.1/', 'https://127.0.0.1/'],
  ['https://2130706433/', 'https://127.0.0.1/'],
  ['https://0177.0.0.01/', 'https://127.0.0.1/'],
  ['https://[::FFFF:127.0.0.1]/', 'https://[::ffff:7f00:1]/'],
])('accepts %s', (text, href) => {
  expect(publicHttpsUrl(text)).toEqual({ url: new URL(href) });
});

const unclean = 'The URL must not contain white space, control characters or backslashes.';
const notHttps = 'The URL must start with https:// and name a host.';
const credentials = 'The URL must not contain a user name or a password.';
const fragment = 'The URL must not contain a fragment (#).';
const noHost = 'The URL has no valid host, or no valid port.';

it.each([
  ['', notHttps],
  ['hooks.example', notHttps],
  ['ftp://hooks.example/', notHttps],
  ['javascript:alert(1)', notHttps],
  ['https:hooks.example', notHttps],
  ['https:/hooks.example', notHttps],
  ['https:///hooks.example', notHttps],
  ['https://', notHttps],
  ['https://?a', notHttps],
  [' https://hooks.example/', unclean],
  ['https://hooks.example/\n', unclean],
  ['https://hooks.exa\tmple/', unclean],
  ['https://hooks.example/a b', unclean],
  ['https://hooks.example/\u0000', unclean],
  ['https://hooks.example/\u0085', unclean],
  ['https://hooks.example/\u00a0', unclean],
  ['https://hooks.example/\ud800', unclean],
  ['https://hooks.example\\@internal.example/', unclean],
  ['https://user:secret@hooks.example/', credentials],
  ['https://user@hooks.example/', credentials],
  ['https://@hooks.example/', credentials],
  ['https://:@hooks.example/', credentials],
  ['https://user%40hooks.example@internal.example/', credentials],
  ['https://hooks.example/#a', fragment],
  ['https://hooks.example/#', fragment],
  ['https://hooks.example#@internal.example', fragment],
  ['https://hooks..example/', noHost],
  ['https://hooks.example../', noHost],
  ['https://-a.example/', noHost],
  ['https://a%00.example/', noHost],
  ['https://256.1.1.1/', noHost],
  ['https://1.2.3.4.5/', noHost],
  ['https://[::1/', noHost],
  ['https://[fe80::1%25eth0]/', noHost],
  ['https://hooks.example:65536/', noHost],
  ['https://hooks.example:x/', noHost],
  [`https://${'a'.repeat(64)}.example/`, noHost],
])('refuses %j', (text, error) => {
  expect(publicHttpsUrl(text)).toEqual({ error });
});

it.each([0, 22, 25, 53, 587, 993, 2049, 5060, 6000, 6667, 10080])(
  'refuses port %i, which belongs to another protocol',
  (port) => {
    expect(publicHttpsUrl(`https://hooks.example:${port}/`)).toEqual({ error: `The port ${port} is not allowed.` });
  },
);

it.each([80, 443, 2525, 3000, 8080, 8443, 65535])('accepts port %i', (port) => {
  expect(publicHttpsUrl(`https://hooks.example:${port}/`)).toHaveProperty('url');
});

it('accepts only https URLs with a host and without credentials or fragment', () => {
  const part = fc.string({ unit: fc.constantFrom(...'ab1.:@/\\#?[]%0x- \tü'), maxLength: 12 });
  fc.assert(
    fc.property(fc.constantFrom('https://', 'https:', 'HTTPS://'), part, part, (start, host, rest) => {
      const check = publicHttpsUrl(`${start}${host}${rest}`);
      if ('error' in check) return;
      const { protocol, username, password, hash, hostname } = check.url;
      expect({ protocol, username, password, hash }).toEqual({
        protocol: 'https:',
        username: '',
        password: '',
        hash: '',
      });
      const name = normalizeHost(hostname) ?? '';
      expect(isIP(name) !== 0 || /^[a-z0-9._-]+$/.test(name)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
