import { createPublicKey } from 'node:crypto';
import { dkimPair } from '../../../test/support/dkim.js';
import { zone } from '../../../test/support/dns-zone.js';
import type { Records } from '../../../test/support/dns-server.js';
import { checkDkim } from './check-dkim.js';
import { checkDmarc } from './check-dmarc.js';
import { checkMx } from './check-mx.js';

type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;
const texts = (names: Texts) =>
  zone(
    Object.fromEntries(
      Object.entries(names).map(([name, text]) => [name, text === undefined ? undefined : { TXT: [text].flat() }]),
    ),
  );

describe('checkMx', () => {
  it.each<[Records | undefined, string]>([
    [{ MX: [[10, 'mx.a.example']] }, 'pass'],
    [{ MX: [[10, 'mx.a.example']], A: ['192.0.2.1'] }, 'pass'],
    [{ A: ['192.0.2.1'] }, 'warn'],
    [{ AAAA: ['2001:db8::1'] }, 'warn'],
    [{}, 'fail'],
    [{ MX: [[0, '']], A: ['192.0.2.1'] }, 'fail'],
    [{ MX: [[0, '.']] }, 'fail'],
    [undefined, 'unknown'],
  ])('of %j is %s', async (records, status) => {
    expect((await checkMx(zone({ 'a.example': records }), 'a.example')).status).toBe(status);
  });
});

describe('checkDmarc', () => {
  const status = async (names: Texts, domain = 'mail.a.co.uk') => (await checkDmarc(texts(names), domain)).status;

  it.each([
    ['v=DMARC1; p=reject', 'pass'],
    ['v=DMARC1;p=quarantine;rua=mailto:a@b.example', 'pass'],
    ['v = DMARC1 ; p = Reject ;', 'pass'],
    ['v=DMARC1; p=none', 'warn'],
    ['v=DMARC1; p=nothing; rua=mailto:a@b.example', 'warn'],
    ['v=DMARC1; rua=mailto:a@b.example', 'warn'],
    ['v=DMARC1; p=nothing', 'fail'],
    ['v=DMARC1', 'fail'],
    ['v=DMARC10; p=reject', 'fail'],
    ['p=reject; v=DMARC1', 'fail'],
    ['v=dmarc1; p=reject', 'fail'],
    ['v=spf1 -all', 'fail'],
  ])('of “%s” is %s', async (text, expected) => {
    expect(await status({ '_dmarc.mail.a.co.uk': text })).toBe(expected);
  });

  it('uses the record of the organizational domain, with its policy for subdomains', async () => {
    expect(await status({ '_dmarc.a.co.uk': 'v=DMARC1; p=reject' })).toBe('pass');
    expect(await status({ '_dmarc.a.co.uk': 'v=DMARC1; p=reject; sp=none' })).toBe('warn');
    expect(await status({ '_dmarc.a.co.uk': 'v=DMARC1; p=none; sp=reject' })).toBe('pass');
    expect(await status({ '_dmarc.a.co.uk': 'v=DMARC1; p=reject; sp=none' }, 'a.co.uk')).toBe('pass');
    expect(await status({ '_dmarc.co.uk': 'v=DMARC1; p=reject' })).toBe('fail');
    expect(await status({ '_dmarc.mail.a.co.uk': 'v=DMARC1; p=none', '_dmarc.a.co.uk': 'v=DMARC1; p=reject' })).toBe(
      'warn',
    );
  });

  it('fails with several records, and looks no further', async () => {
    const two = ['v=DMARC1; p=reject', 'v=DMARC1; p=none'];
    expect(await status({ '_dmarc.mail.a.co.uk': two, '_dmarc.a.co.uk': 'v=DMARC1; p=reject' })).toBe('fail');
    expect(await status({ '_dmarc.a.co.uk': two })).toBe('fail');
    expect(await status({ '_dmarc.mail.a.co.uk': ['v=DMARC1; p=reject', 'other'] })).toBe('pass');
  });

  it('is unknown without a response', async () => {
    expect(await status({ '_dmarc.mail.a.co.uk': undefined })).toBe('unknown');
    expect(await status({ '_dmarc.a.co.uk': undefined })).toBe('unknown');
  });
});

describe('checkDkim', () => {
  const RSA = dkimPair(2_048);
  const SHORT = dkimPair(1_024);
  const TINY = dkimPair(512);
  const ED25519 = dkimPair();
  const name = 's1._domainkey.a.example';
  const status = async (names: Texts, checked: readonly string[] = [name]) =>
    (await checkDkim(texts(names), { names: checked })).status;

  it.each([
    ['RSA of 2,048 bits', RSA.record, 'pass'],
    ['Ed25519', ED25519.record, 'pass'],
    ['a key without a version and a type', RSA.record.replace(/^.*(?=p=)/, ''), 'pass'],
    ['a key in several lines', RSA.record.replace(/(.{60})/g, '$1 \t'), 'pass'],
    ['a key in test mode', `${RSA.record}; t=y:s; n=note; s=email; h=sha1:sha256`, 'pass'],
    ['RSA of 1,024 bits', SHORT.record, 'warn'],
    ['RSA of 512 bits', TINY.record, 'fail'],
    ['a revoked key', 'v=DKIM1; p=', 'fail'],
    ['another version', RSA.record.replace('DKIM1', 'DKIM2'), 'fail'],
    ['another type', RSA.record.replace('k=rsa', 'k=dsa'), 'fail'],
    ['a type that the key does not have', ED25519.record.replace('k=ed25519', 'k=rsa'), 'fail'],
    ['a key that is cut', RSA.record.slice(0, 100), 'fail'],
    ['a key for SHA-1 only', `${RSA.record}; h=sha1`, 'fail'],
    ['a key for another service', `${RSA.record}; s=tlsrpt`, 'fail'],
    ['no key, but another text', 'google-site-verification=x', 'fail'],
  ])('of %s', async (_, record, expected) => {
    expect(await status({ [name]: record })).toBe(expected);
  });

  it('fails without a key, warns with several at one name, and is unknown without a response or a selector', async () => {
    expect(await status({})).toBe('fail');
    expect(await status({ [name]: [RSA.record, ED25519.record] })).toBe('warn');
    expect(await status({ [name]: undefined })).toBe('unknown');
    expect(await status({}, [])).toBe('unknown');
  });

  it('passes if the provider has a key at one of its names', async () => {
    const other = 's2._domainkey.a.example';
    const both = [name, other];
    expect(await status({ [other]: RSA.record }, both)).toBe('pass');
    expect(await status({ [name]: 'v=DKIM1; p=', [other]: RSA.record }, both)).toBe('pass');
    expect(await status({ [name]: undefined, [other]: RSA.record }, both)).toBe('pass');
    expect(await status({ [name]: RSA.record, [other]: SHORT.record }, both)).toBe('warn');
    expect(await status({ [name]: undefined }, both)).toBe('unknown');
    expect(await status({ [name]: 'v=DKIM1; p=' }, both)).toBe('fail');
  });

  it('fails if the key is not that with which the account signs', async () => {
    const expected = { publicKey: createPublicKey(RSA.pem), privateKeyName: 'dkim_private_key' };
    const statusOf = async (...records: string[]) =>
      (await checkDkim(texts({ [name]: records }), { names: [name], expected })).status;
    expect(await statusOf(RSA.record)).toBe('pass');
    expect(await statusOf(ED25519.record)).toBe('fail');
    expect(await statusOf(ED25519.record, SHORT.record)).toBe('fail');
    expect(await statusOf(ED25519.record, RSA.record)).toBe('warn');
  });
});
