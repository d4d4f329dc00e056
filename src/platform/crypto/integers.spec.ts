import fc from 'fast-check';
import { decodeIntegers, encodeIntegers } from './integers.js';

const integer = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.constantFrom(0, 127, 128, 2 ** 31, 2 ** 32, 2 ** 53 - 1));

it('come back as they went', () => {
  fc.assert(
    fc.property(fc.array(integer), (integers) => {
      expect(decodeIntegers(encodeIntegers(integers))).toEqual(integers);
    }),
  );
});

it('have one encoding: bytes that decode are those that were encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
      const integers = decodeIntegers(bytes);
      if (integers) expect([...encodeIntegers(integers)]).toEqual([...bytes]);
    }),
    { numRuns: 1_000 },
  );
});

it('take seven bits a byte', () => {
  expect([0, 127, 128, 16_383, 16_384, 2 ** 53 - 1].map((n) => encodeIntegers([n]).length)).toEqual([1, 1, 2, 2, 3, 8]);
});

it.each([-1, 0.5, 2 ** 53, NaN, Infinity])('%d is refused', (number) => {
  expect(() => encodeIntegers([number])).toThrow(RangeError);
});

it.each([
  ['cut off', [0x80]],
  ['over-long', [0x80, 0x00]],
  ['beyond 2^53', [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]],
  ['without end', Array.from({ length: 400 }, () => 0x80)],
])('bytes that are %s are none', (_fault, bytes) => {
  expect(decodeIntegers(Uint8Array.from(bytes))).toBeUndefined();
});
