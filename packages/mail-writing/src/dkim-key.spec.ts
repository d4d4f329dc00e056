import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { canSign, isDkimKey } from './dkim-key.js';

const { privateKey: RSA } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const { privateKey: ED25519 } = generateKeyPairSync('ed25519');
const numbers: JsonWebKey = RSA.export({ format: 'jwk' });

const pemOf = (type: 'pkcs1' | 'pkcs8', changes: JsonWebKey = {}): string =>
  createPrivateKey({ format: 'jwk', key: { ...numbers, ...changes } })
    .export({ type, format: 'pem' })
    .toString();

/** An odd number of a length in bits. */
function odd(bits: number): string {
  const bytes = randomBytes(bits / 8);
  bytes[0] = 0x80 | (bytes[0] ?? 0);
  bytes[bytes.length - 1] = 1 | (bytes.at(-1) ?? 0);
  return bytes.toString('base64url');
}

/** DSA with numbers of many bits: OpenSSL computes the public key while it reads the private one. */
const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  const length = Buffer.from([0x82, content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
};
const integer = (bits: number): Buffer => der(0x02, Buffer.from([0]), Buffer.from(odd(bits), 'base64url'));
const DSA = `-----BEGIN PRIVATE KEY-----\n${der(
  0x30,
  Buffer.from('020100', 'hex'),
  der(0x30, Buffer.from('06072a8648ce380401', 'hex'), der(0x30, integer(20_000), integer(16_000), integer(16_000))),
  der(0x04, integer(8_000)),
).toString('base64')}\n-----END PRIVATE KEY-----\n`;

describe('isDkimKey', () => {
  it.each([
    ['RSA in PKCS#8', pemOf('pkcs8')],
    ['RSA in PKCS#1', pemOf('pkcs1')],
    ['Ed25519', ED25519.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['lines that end with CRLF', pemOf('pkcs8').replaceAll('\n', '\r\n')],
    ['one long line', pemOf('pkcs8').replace(/(?<=[^-])\n(?=[^-])/g, '')],
  ])('accepts %s, with which messages can be signed', async (_, pem) => {
    expect([isDkimKey(pem), await canSign(pem)]).toEqual([true, true]);
  });

  it.each<[string, JsonWebKey]>([
    ...(['p', 'q', 'dp', 'dq', 'qi', 'd'] as const).map((name): [string, JsonWebKey] => [
      `${name} that is too long`,
      { [name]: odd(14_000) },
    ]),
    ['primes that are too long', { p: odd(13_600), q: odd(13_600), dp: odd(13_600), dq: odd(13_600) }],
    ['primes as long as the modulus', { p: odd(2_048), q: odd(2_048), dp: odd(2_048), dq: odd(2_048) }],
    ['a modulus that is too long', { n: odd(16_384) }],
    ['an exponent that is too long', { e: odd(128) }],
  ])('measures the numbers of RSA before anything computes with them: %s', (_, changes) => {
    for (const type of ['pkcs1', 'pkcs8'] as const) expect(isDkimKey(pemOf(type, changes))).toBe(false);
  });

  it.each([
    ['DSA', DSA],
    ['a curve', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })],
    [
      'RSA-PSS',
      generateKeyPairSync('rsa-pss', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ],
    [
      'RSA of 512 bits',
      generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ],
    ['a public key', generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })],
    ['a passphrase', RSA.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'secret' })],
    ['the label of another form', pemOf('pkcs1').replaceAll('RSA PRIVATE', 'PRIVATE')],
    ['two keys', pemOf('pkcs8') + pemOf('pkcs8')],
    ['text before the key', `x\n${pemOf('pkcs8')}`],
    ['a key that ends too early', pemOf('pkcs8').replace(/.{64}\n(?=-----END)|(?<=\n)[^\n]{1,64}\n(?=-----END)/, '')],
    ['nothing', ''],
    ['very many blanks', `-----BEGIN PRIVATE KEY-----${' '.repeat(9_000)}!`],
  ])('refuses %s', (_, pem) => {
    expect(isDkimKey(String(pem))).toBe(false);
  });
});

describe('canSign', () => {
  it('returns false for an RSA key whose numbers contradict one another', async () => {
    const pem = pemOf('pkcs8', { n: odd(2_048) });
    expect([isDkimKey(pem), await canSign(pem)]).toEqual([true, false]);
  });
});
