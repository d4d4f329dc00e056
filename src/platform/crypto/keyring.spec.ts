import fc from 'fast-check';
import { generateKey, isUsableKey, Keyring, SealBroken } from './index.js';

const older = generateKey();
const newer = generateKey();
const ring = new Keyring([newer, older]);
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
        expect(ring.open(ring.seal(plaintext, anyContext), anyContext)).toBe(plaintext);
      }),
    );
  });

  it('is broken in another context', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        expect(() => ring.open(ring.seal('secret', one), other)).toThrow(SealBroken);
      }),
    );
  });

  it('is broken by any changed character', () => {
    const sealed = ring.seal('secret', context);
    fc.assert(
      fc.property(changed(sealed), (other) => {
        expect(() => ring.open(other, context)).toThrow(SealBroken);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is broken by every flipped bit and at every shorter length', () => {
    const sealed = ring.seal('secret', context);
    const body = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
    const header = sealed.slice(0, sealed.lastIndexOf('.') + 1);
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      const flipped = Buffer.from(body);
      flipped[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => ring.open(header + flipped.toString('base64url'), context)).toThrow(SealBroken);
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => ring.open(sealed.slice(0, length), context)).toThrow(SealBroken);
    }
  });

  it('is not opened from anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (garbage) => {
        expect(() => ring.open(garbage, context)).toThrow(SealBroken);
      }),
    );
    expect(() => ring.open(`${ring.seal('secret', context)}.`, context)).toThrow(SealBroken);
  });

  it('differs each time and shows neither text nor context', () => {
    const sealed = [ring.seal('secret', context), ring.seal('secret', context)];
    expect(sealed[0]).not.toBe(sealed[1]);
    expect(sealed[0]).toMatch(/^v1\.[\w-]{8}\.[\w-]{46}$/);
  });
});

describe('rotation', () => {
  it('opens what an older key sealed, and seals with the first one', () => {
    expect(ring.open(new Keyring([older]).seal('secret', context), context)).toBe('secret');
    expect(new Keyring([newer]).open(ring.seal('secret', context), context)).toBe('secret');
  });

  it('breaks the seals of a key that left the ring', () => {
    const sealed = new Keyring([older]).seal('secret', context);
    expect(() => new Keyring([newer]).open(sealed, context)).toThrow(SealBroken);
  });
});

it('still opens what was sealed when this format was laid down', () => {
  const sealed = 'v1.s7OQ_43N.s1-EpfNSqyIWrxFRClGpsoWRjS-IdeN7nsvvXyrImCOc3AtaOA';
  expect(new Keyring(['correct horse battery staple']).open(sealed, context)).toBe('pässword');
});

it('derives for each use its own keys, in the order of the ring', () => {
  const [first, second] = ring.derive('one');
  expect(first.equals(new Keyring([newer]).derive('one')[0])).toBe(true);
  expect(second?.equals(new Keyring([older]).derive('one')[0])).toBe(true);
  expect(first.equals(ring.derive('another')[0])).toBe(false);
});

it('does not print its keys', () => {
  expect(JSON.stringify(ring)).toBe('{}');
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
