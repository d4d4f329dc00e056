import { bitsOf, DER, derSequence, derValues } from './der.js';

const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/ /g, ''), 'hex');

describe('derValues', () => {
  it('returns the values in their order, with short and long lengths', () => {
    const long = `04 8180 ${'ab'.repeat(128)}`;
    expect(derValues(bytes(`020105 0500 ${long}`))).toEqual([
      { tag: DER.integer, content: bytes('05') },
      { tag: 0x05, content: Buffer.alloc(0) },
      { tag: DER.octetString, content: Buffer.alloc(128, 0xab) },
    ]);
    expect(derValues(Buffer.alloc(0))).toEqual([]);
  });

  it.each(['02', '0202 05', '0280 05 0000', '0281', '0284 00000001 05', '1f 01 05', '020105 02'])(
    'returns undefined for what is not complete or has no definite length: %s',
    (hex) => {
      expect(derValues(bytes(hex))).toBeUndefined();
    },
  );
});

describe('derSequence', () => {
  it('returns the values of the only sequence', () => {
    expect(derSequence(bytes('3003 020105'))).toEqual([{ tag: DER.integer, content: bytes('05') }]);
    for (const other of ['', '020105', '3000 3000', '3003 020205']) expect(derSequence(bytes(other))).toBeUndefined();
  });
});

describe('bitsOf', () => {
  it.each([
    ['00', 0],
    ['01', 1],
    ['00ff', 8],
    ['0100', 9],
    ['000001', 1],
    ['', 0],
  ])('counts the bits of %s without leading zeros', (hex, bits) => {
    expect(bitsOf(bytes(hex))).toBe(bits);
  });
});
