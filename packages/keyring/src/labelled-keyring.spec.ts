import fc from 'fast-check';
import { generateKey, DecryptionFailed, isUsableKey, LabelledKeyring } from './index.js';

const LABELS = { label: 'example/v1', setting: 'KEYS' };
const keyringOf = (keys: readonly string[]): LabelledKeyring => new LabelledKeyring(keys, LABELS);
const older = generateKey();
const newer = generateKey();
const keyring = keyringOf([newer, older]);
const context = 'email_account:smtp_password:7';
const text = fc.string({ unit: 'grapheme' });

/** Texts that differ from the original in one character. */
const changed = (original: string) =>
  fc
    .tuple(fc.nat(original.length - 1), fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }))
    .map(([at, character]) => original.slice(0, at) + character + original.slice(at + 1))
    .filter((other) => other !== original);

describe('an encrypted text', () => {
  it('decrypts to the original in the same context', () => {
    fc.assert(
      fc.property(text, text, (plaintext, anyContext) => {
        expect(keyring.decrypt(keyring.encrypt(plaintext, anyContext), anyContext)).toBe(plaintext);
      }),
    );
  });

  it('does not decrypt in another context', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        expect(() => keyring.decrypt(keyring.encrypt('secret', one), other)).toThrow(DecryptionFailed);
      }),
    );
  });

  it('does not decrypt after any character is changed', () => {
    const encrypted = keyring.encrypt('secret', context);
    fc.assert(
      fc.property(changed(encrypted), (other) => {
        expect(() => keyring.decrypt(other, context)).toThrow(DecryptionFailed);
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not decrypt after any bit is flipped, or when it is truncated', () => {
    const encrypted = keyring.encrypt('secret', context);
    const body = Buffer.from(encrypted.split('.')[2] ?? '', 'base64url');
    const header = encrypted.slice(0, encrypted.lastIndexOf('.') + 1);
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      const flipped = Buffer.from(body);
      flipped[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => keyring.decrypt(header + flipped.toString('base64url'), context)).toThrow(DecryptionFailed);
    }
    for (let length = 0; length < encrypted.length; length += 1) {
      expect(() => keyring.decrypt(encrypted.slice(0, length), context)).toThrow(DecryptionFailed);
    }
  });

  it('is the only text that decrypts: anything else throws DecryptionFailed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (garbage) => {
        expect(() => keyring.decrypt(garbage, context)).toThrow(DecryptionFailed);
      }),
    );
    expect(() => keyring.decrypt(`${keyring.encrypt('secret', context)}.`, context)).toThrow(DecryptionFailed);
  });

  it('differs at each call, and contains neither the plaintext nor the context', () => {
    const encrypted = [keyring.encrypt('secret', context), keyring.encrypt('secret', context)];
    expect(encrypted[0]).not.toBe(encrypted[1]);
    expect(encrypted[0]).toMatch(/^v1\.[\w-]{8}\.[\w-]{46}$/);
  });
});

describe('a keyring with several keys', () => {
  it('decrypts texts of older keys, and encrypts with the first key', () => {
    expect(keyring.decrypt(keyringOf([older]).encrypt('secret', context), context)).toBe('secret');
    expect(keyringOf([newer]).decrypt(keyring.encrypt('secret', context), context)).toBe('secret');
  });

  it('cannot decrypt texts of a key that was removed', () => {
    const encrypted = keyringOf([older]).encrypt('secret', context);
    expect(() => keyringOf([newer]).decrypt(encrypted, context)).toThrow(DecryptionFailed);
  });
});

it('derive returns different keys for each use, in the order of the keyring', () => {
  const [first, second] = keyring.derive('one');
  expect(first.equals(keyringOf([newer]).derive('one')[0])).toBe(true);
  expect(second?.equals(keyringOf([older]).derive('one')[0])).toBe(true);
  expect(first.equals(keyring.derive('another')[0])).toBe(false);
});

it('a keyring does not serialize its keys', () => {
  expect(JSON.stringify(keyring)).toBe('{}');
});

describe('a key', () => {
  it('has at least 16 characters', () => {
    expect([generateKey(), '0123456789abcdef'].every(isUsableKey)).toBe(true);
    expect(['', '0123456789abcde', ' '.repeat(32), ' 0123456789abcde '].some(isUsableKey)).toBe(false);
  });

  it('is generated from 32 random bytes, in base64, which has no comma', () => {
    expect(Buffer.from(generateKey(), 'base64')).toHaveLength(32);
    expect(generateKey()).not.toBe(generateKey());
    expect(generateKey()).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  it('is required: a keyring without keys, or with one that is too short, throws a RangeError', () => {
    expect(() => keyringOf([])).toThrow(RangeError);
    expect(() => keyringOf([newer, 'short'])).toThrow(RangeError);
  });
});
