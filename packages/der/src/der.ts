/** A value in DER: its tag, and its content. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
}

/** The tags of universal types (ITU-T X.690, 8). */
export const DER = { integer: 0x02, bitString: 0x03, octetString: 0x04, oid: 0x06, sequence: 0x30 } as const;

/** The content of the OID of RSA keys (RFC 8017, A.1). */
export const RSA_OID = Buffer.from('2a864886f70d010101', 'hex');

/** Set in the first byte of a length that has further ones; its other bits say how many. */
const LONG_LENGTH = 0x80;
/** Tags from here on have further bytes. */
const LONG_TAG = 0x1f;
/** A length of three bytes is up to 16 MB. */
const MAX_LENGTH_BYTES = 3;

/**
 * Splits bytes into the values that they consist of, without reading their contents, so that a key can be looked at before
 * a library computes with it (ITU-T X.690, 10).
 * @returns undefined if the bytes are not complete values of a definite length with tags below 31
 */
export function derValues(bytes: Buffer): DerValue[] | undefined {
  const values: DerValue[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    const header = lengthAt(bytes, at + 1);
    if (!header || (tag & LONG_TAG) === LONG_TAG) return undefined;
    const end = header.end + header.length;
    if (end > bytes.length) return undefined;
    values.push({ tag, content: bytes.subarray(header.end, end) });
    at = end;
  }
  return values;
}

/** Returns the values in the only value of some bytes; undefined if they are anything else than one SEQUENCE. */
export function derSequence(bytes: Buffer): DerValue[] | undefined {
  const [value, ...others] = derValues(bytes) ?? [];
  return value?.tag === DER.sequence && others.length === 0 ? derValues(value.content) : undefined;
}

/** Returns how many bits a non-negative INTEGER has, without leading zeros. */
export function bitsOf(integer: Buffer): number {
  const first = integer.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : 8 * (integer.length - first) - Math.clz32(integer[first] ?? 0) + 24;
}

function lengthAt(bytes: Buffer, at: number): { readonly length: number; readonly end: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < LONG_LENGTH) return { length: first, end: at + 1 };
  const count = first - LONG_LENGTH;
  if (count === 0 || count > MAX_LENGTH_BYTES || at + count >= bytes.length) return undefined;
  return { length: bytes.readUIntBE(at + 1, count), end: at + 1 + count };
}
