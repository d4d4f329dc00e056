import fc from 'fast-check';
import { generateKey, LabelledKeyring, Signer } from './index.js';

const keyringOf = (keys: readonly string[]): LabelledKeyring =>
  new LabelledKeyring(keys, { label: 'example/v1', setting: 'KEYS' });
const older = generateKey();
const newer = generateKey();
const signer = new Signer(keyringOf([newer, older]));
const purpose = fc.string({ unit: 'grapheme' });

describe('a signed token', () => {
  it('verifies to its payload, for its purpose', () => {
    fc.assert(
      fc.property(purpose, fc.uint8Array(), (anyPurpose, payload) => {
        const token = signer.sign(anyPurpose, payload);
        expect(token).toMatch(/^[\w-]+$/);
        expect(signer.verify(anyPurpose, token)).toEqual(Buffer.from(payload));
      }),
    );
  });

  it('does not verify for another purpose, even one that the payload begins with', () => {
    fc.assert(
      fc.property(purpose, purpose, fc.string({ unit: 'grapheme' }), (one, other, rest) => {
        fc.pre(one !== other);
        expect(signer.verify(other, signer.sign(one, Buffer.from(rest)))).toBeUndefined();
        expect(signer.verify(one + rest, signer.sign(one, Buffer.from(rest + other)))).toEqual(
          rest === '' ? Buffer.from(other) : undefined,
        );
      }),
    );
  });

  it('does not verify after any change', () => {
    const token = signer.signIds('unsubscribe', [12, 345_678]);
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(signer.verify('unsubscribe', flipped.toString('base64url'))).toBeUndefined();
    }
    for (let length = 0; length < token.length; length += 1) {
      expect(signer.verify('unsubscribe', token.slice(0, length))).toBeUndefined();
    }
  });

  it('has one valid encoding', () => {
    const token = signer.sign('open', Buffer.from([1, 2]));
    const other = ['=', '.', '\n', 'A', ' '].map((extra) => token + extra);
    const base64 = Buffer.from(token, 'base64url').toString('base64');
    const spellings = [...other, ...(base64 === token ? [] : [base64])];
    expect(spellings.filter((spelling) => signer.verify('open', spelling))).toEqual([]);
    // base64url ignores some bits of the last character; the signer does not.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const ends = [...alphabet].filter((end) => signer.verify('open', token.slice(0, -1) + end));
    expect(ends).toEqual([token.at(-1)]);
  });

  it('is not found in random text: verification returns undefined and does not throw', () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    );
    fc.assert(
      fc.property(purpose, garbage, (anyPurpose, token) => {
        expect(signer.verify(anyPurpose, token)).toBeUndefined();
        expect(signer.verifyIds(anyPurpose, token, 2)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it('is verified with every key of the keyring, and signed with the first one', () => {
    const ids = [1, 2];
    expect(signer.verifyIds('open', new Signer(keyringOf([older])).signIds('open', ids), 2)).toEqual(ids);
    expect(new Signer(keyringOf([newer])).verifyIds('open', signer.signIds('open', ids), 2)).toEqual(ids);
    expect(new Signer(keyringOf([older])).verifyIds('open', signer.signIds('open', ids), 2)).toBeUndefined();
  });
});

describe('a signed token for IDs', () => {
  it('verifies to its IDs if their number is the expected one', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { maxLength: 4 }), fc.nat(4), (ids, count) => {
        expect(signer.verifyIds('click', signer.signIds('click', ids), count)).toEqual(
          ids.length === count ? ids : undefined,
        );
      }),
    );
  });

  it('has at most 30 characters for two common IDs, and 43 for the largest', () => {
    expect(signer.signIds('click', [120, 9_000_000]).length).toBeLessThanOrEqual(30);
    expect(signer.signIds('click', [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])).toHaveLength(43);
  });

  it('cannot be signed for a negative number', () => {
    expect(() => signer.signIds('click', [1, -1])).toThrow(RangeError);
  });

  it('does not verify if its payload is not encoded integers', () => {
    expect(signer.verifyIds('click', signer.sign('click', Buffer.from([0x80])), 1)).toBeUndefined();
  });
});
