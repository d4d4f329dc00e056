const CONTINUATION_BIT = 0x80;

/**
 * Encodes non-negative safe integers as LEB128: seven bits a byte, the lowest first, the eighth bit set on all but the
 * last byte of a number.
 * @throws RangeError for any other number
 */
export function encodeIntegers(integers: readonly number[]): Buffer {
  return Buffer.from(integers.flatMap(encodeInteger));
}

/** Decodes the bytes of `encodeIntegers`; returns undefined for any other bytes. */
export function decodeIntegers(bytes: Uint8Array): number[] | undefined {
  const integers: number[] = [];
  let value = 0;
  let weight = 1;
  for (const byte of bytes) {
    value += (byte % CONTINUATION_BIT) * weight;
    if (!Number.isSafeInteger(value) || (byte === 0 && weight > 1)) return undefined;
    if (byte < CONTINUATION_BIT) integers.push(value);
    [value, weight] = byte < CONTINUATION_BIT ? [0, 1] : [value, weight * CONTINUATION_BIT];
  }
  return weight === 1 ? integers : undefined;
}

/** Divides, because bitwise operators would truncate a number to 32 bits. */
function encodeInteger(integer: number): number[] {
  if (!Number.isSafeInteger(integer) || integer < 0)
    throw new RangeError(`${integer} is not a non-negative safe integer`);
  const bytes: number[] = [];
  let remaining = integer;
  for (; remaining >= CONTINUATION_BIT; remaining = Math.floor(remaining / CONTINUATION_BIT))
    bytes.push((remaining % CONTINUATION_BIT) + CONTINUATION_BIT);
  return [...bytes, remaining];
}
