import fc from 'fast-check';
import { generateKey, isUsableKey, Keyring, DecryptionFailed } from './index.js';

const older = generateKey();
const newer = generateKey();
const keyring = new Keyring([newer, older]);
const context = 'email_account:smtp_password:7';
const text = fc.string({ unit: 'grapheme' });

/** Every text that differs from the given one in a single character. */
const changed = (original: string) =>
  fc
    .tuple(fc.nat(original.length - 1), fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }))
    .map(([at, character]) => original.slice(0, at) + character + original.slice(at + 1))
    .filter((other) => other !== original);

describe('a sealed text', () => {
  it('opens to what was sealed, in the same context', () => {
    fc.assert(
      fc.property(text, text, (plaintext, anyContext) => {
        expect(keyring.decrypt(keyring.encrypt(plaintext, anyContext), anyContext)).toBe(plaintext);
      }),
    );
  });

  it('is broken in another context', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        expect(() => keyring.decrypt(keyring.encrypt('secret', one), other)).toThrow(DecryptionFailed);
      }),
    );
  });

  it('is broken by any changed character', () => {
    const encrypted = keyring.encrypt('secret', context);
    fc.assert(
      fc.property(changed(encrypted), (other) => {
        expect(() => keyring.decrypt(other, context)).toThrow(DecryptionFailed);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is broken by every flipped bit and at every shorter length', () => {
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

  it('is not opened from anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (garbage) => {
        expect(() => keyring.decrypt(garbage, context)).toThrow(DecryptionFailed);
      }),
    );
    expect(() => keyring.decrypt(`${keyring.encrypt('secret', context)}.`, context)).toThrow(DecryptionFailed);
  });

  it('differs each time and shows neither text nor context', () => {
    const encrypted = [keyring.encrypt('secret', context), keyring.encrypt('secret', context)];
    expect(encrypted[0]).not.toBe(encrypted[1]);
    expect(encrypted[0]).toMatch(/^v1\.[\w-]{8}\.[\w-]{46}$/);
  });
});

describe('rotation', () => {
  it('opens what an older key sealed, and seals with the first one', () => {
    expect(keyring.decrypt(new Keyring([older]).encrypt('secret', context), context)).toBe('secret');
    expect(new Keyring([newer]).decrypt(keyring.encrypt('secret', context), context)).toBe('secret');
  });

  it('breaks the seals of a key that left the ring', () => {
    const encrypted = new Keyring([older]).encrypt('secret', context);
    expect(() => new Keyring([newer]).decrypt(encrypted, context)).toThrow(DecryptionFailed);
  });
});

it('still opens what was sealed when this format was laid down', () => {
  const encrypted = 'v1.s7OQ_43N.s1-EpfNSqyIWrxFRClGpsoWRjS-IdeN7nsvvXyrImCOc3AtaOA';
  expect(new Keyring(['correct horse battery staple']).decrypt(encrypted, context)).toBe('pässword');
});

it('derives for each use its own keys, in the order of the ring', () => {
  const [first, second] = keyring.derive('one');
  expect(first.equals(new Keyring([newer]).derive('one')[0])).toBe(true);
  expect(second?.equals(new Keyring([older]).derive('one')[0])).toBe(true);
  expect(first.equals(keyring.derive('another')[0])).toBe(false);
});

it('does not print its keys', () => {
  expect(JSON.stringify(keyring)).toBe('{}');
});

describe('keys', () => {
  it('have at least 16 characters', () => {
    expect([generateKey(), '0123456789abcdef'].every(isUsableKey)).toBe(true);
    expect(['', '0123456789abcde', ' '.repeat(32), ' 0123456789abcde '].some(isUsableKey)).toBe(false);
  });

  it('are generated from 32 random bytes, without the comma that separates keys', () => {
    expect(Buffer.from(generateKey(), 'base64')).toHaveLength(32);
    expect(generateKey()).not.toBe(generateKey());
    expect(generateKey()).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  it('make no ring when there is none, or one is too short', () => {
    expect(() => new Keyring([])).toThrow(RangeError);
    expect(() => new Keyring([newer, 'short'])).toThrow(RangeError);
  });
});
