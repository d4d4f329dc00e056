import fc from 'fast-check';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { normalizeHost } from './index.js';

it.each([
  ['Mail.Example.COM', 'mail.example.com'],
  ['example.com.', 'example.com'],
  ['mail_catcher', 'mail_catcher'],
  ['localhost', 'localhost'],
  ['Bücher.DE', 'xn--bcher-kva.de'],
  ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
  ['ｌocalhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0X7F.1', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['0', '0.0.0.0'],
  ['１２７。０。０。１', '127.0.0.1'],
  ['①②⑦.1', '127.0.0.1'],
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['[::FFFF:127.0.0.1]', '::ffff:127.0.0.1'],
])('normalises %s to %s', (spelling, host) => {
  expect(normalizeHost(spelling)).toBe(host);
});

it.each([
  '',
  ' ',
  '.',
  '..',
  'example.com..',
  '127.0.0.1..',
  'a..b',
  '.example.com',
  ' example.com',
  'example.com\n',
  'exam\tple.com',
  'exam\0ple.com',
  'example.com:25',
  '127.0.0.1:25',
  'example.com/path',
  'example.com\\path',
  'example.com?a',
  'example.com#a',
  'user@example.com',
  'a%2eb',
  'a％2eb',
  'a／b',
  'a*b',
  '-a.example',
  'a-.example',
  '256.1.1.1',
  '1.2.3.4.5',
  '1.2.3.08',
  '4294967296',
  'example.1',
  'example.0x7f',
  '[127.0.0.1]',
  '[example.com]',
  '[::1',
  '::1]',
  '[[::1]]',
  ':::',
  'fe80::1%eth0',
  '[fe80::1%25eth0]',
  'xn--a',
  '\u00ad',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(127)}a`,
  `${'ü'.repeat(60)}.example`,
])('returns undefined for %j', (text) => {
  expect(normalizeHost(text)).toBeUndefined();
});

it('accepts labels of 63 and names of 253 characters', () => {
  const longest = `${`${'a'.repeat(49)}.`.repeat(5)}abc`;
  expect(longest).toHaveLength(253);
  expect(normalizeHost(longest)).toBe(longest);
  expect(normalizeHost(`${longest}.`)).toBe(longest);
  expect(normalizeHost(`${'a'.repeat(63)}.example`)).toBeDefined();
});

it('returns an address or an ASCII name, and does not change its own result', () => {
  const spelling = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdefx.:[]%-_。１ａü'), maxLength: 30 }),
    fc.domain(),
    fc.ipV4Extended(),
    fc.ipV6(),
  );
  fc.assert(
    fc.property(spelling, (text) => {
      const host = normalizeHost(text);
      if (host === undefined) return;
      expect(normalizeHost(host)).toBe(host);
      expect(isIP(host) !== 0 || /^[a-z0-9._-]{1,253}$/.test(host)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it('parses every IPv4 notation as a URL does', () => {
  fc.assert(
    fc.property(fc.ipV4Extended(), (text) => {
      expect(normalizeHost(text)).toBe(domainToASCII(text));
    }),
  );
});
