import fc from 'fast-check';
import { decodeIntegers, encodeIntegers } from './integers.js';

const integer = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.constantFrom(0, 127, 128, 2 ** 31, 2 ** 32, 2 ** 53 - 1));

it('decodeIntegers returns the integers that encodeIntegers encoded', () => {
  fc.assert(
    fc.property(fc.array(integer), (integers) => {
      expect(decodeIntegers(encodeIntegers(integers))).toEqual(integers);
    }),
  );
});

it('integers have one encoding: bytes that decode are equal to the encoding of what they decode to', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
      const integers = decodeIntegers(bytes);
      if (integers) expect([...encodeIntegers(integers)]).toEqual([...bytes]);
    }),
    { numRuns: 1_000 },
  );
});

it('encodeIntegers needs one byte for each seven bits', () => {
  expect([0, 127, 128, 16_383, 16_384, 2 ** 53 - 1].map((n) => encodeIntegers([n]).length)).toEqual([1, 1, 2, 2, 3, 8]);
});

it.each([-1, 0.5, 2 ** 53, NaN, Infinity])('encodeIntegers throws a RangeError for %d', (number) => {
  expect(() => encodeIntegers([number])).toThrow(RangeError);
});

it.each([
  ['truncated', [0x80]],
  ['longer than necessary', [0x80, 0x00]],
  ['beyond 2^53', [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]],
  ['endless', Array.from({ length: 400 }, () => 0x80)],
])('decodeIntegers returns undefined for bytes that are %s', (_case, bytes) => {
  expect(decodeIntegers(Uint8Array.from(bytes))).toBeUndefined();
});
