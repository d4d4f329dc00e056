import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { fromBase64url } from './base64.js';
import { decodeIntegers, encodeIntegers } from './integers.js';
import type { LabelledKeyring } from './labelled-keyring.js';

const MAC_BYTES = 16;

/** `Count` numbers: a tuple if the compiler knows the count. */
type Ids<Count extends number, Known extends number[] = []> = number extends Count
  ? number[]
  : Known['length'] extends Count
    ? Known
    : Ids<Count, [...Known, number]>;

/**
 * Signs small payloads, e.g. for links in mail: anyone can read a token, but only this service can create one.
 * A token is the base64url of the payload and of 128 bits of HMAC-SHA256 (RFC 2104), and is valid for one purpose.
 * The first key of the keyring signs, all of them verify. Tokens do not expire.
 */
export class Signer {
  readonly #keys: readonly [KeyObject, ...KeyObject[]];

  constructor(keyring: LabelledKeyring) {
    this.#keys = keyring.derive('sign');
  }

  /** Returns a URL-safe token, 22 characters longer than the payload's base64. */
  sign(purpose: string, payload: Uint8Array): string {
    return Buffer.concat([payload, mac(this.#keys[0], purpose, payload)]).toString('base64url');
  }

  /** Returns the payload of a token signed for this purpose, undefined for any other text. Never throws. */
  verify(purpose: string, token: string): Buffer | undefined {
    const bytes = fromBase64url(token);
    if (bytes === undefined || bytes.length < MAC_BYTES) return undefined;
    const payload = bytes.subarray(0, -MAC_BYTES);
    const received = bytes.subarray(-MAC_BYTES);
    return this.#keys.some((key) => timingSafeEqual(mac(key, purpose, payload), received)) ? payload : undefined;
  }

  /**
   * Returns a token for IDs. A token for two IDs has about 30 characters, at most 43.
   * @throws RangeError if an ID is not a non-negative safe integer
   */
  signIds(purpose: string, ids: readonly number[]): string {
    return this.sign(purpose, encodeIntegers(ids));
  }

  /** Returns the IDs of a token signed for this purpose, undefined for any other text or another number of IDs. */
  verifyIds<const Count extends number>(purpose: string, token: string, count: Count): Ids<Count> | undefined {
    const ids = unverifiedIds(token);
    return ids?.length === count && this.verify(purpose, token) ? (ids as Ids<Count>) : undefined;
  }
}

/** A token for more or longer numbers is none of this service. */
const MAX_IDS = 4;
const MAX_ID_BYTES = 8;
const MAX_IDS_TOKEN_LENGTH = Math.ceil((4 / 3) * (MAX_IDS * MAX_ID_BYTES + MAC_BYTES));

/**
 * Returns the IDs that a token claims, whoever has made it; undefined for a text that has not the form of a token for IDs. It
 * computes no MAC, so that texts that are certainly not tokens cost little.
 */
export function unverifiedIds(token: string): number[] | undefined {
  const bytes = token.length <= MAX_IDS_TOKEN_LENGTH ? fromBase64url(token) : undefined;
  return bytes && bytes.length >= MAC_BYTES ? decodeIntegers(bytes.subarray(0, -MAC_BYTES)) : undefined;
}

/** Returns the payload of a token that was verified before. */
export const payloadOf = (token: string): Buffer => Buffer.from(token, 'base64url').subarray(0, -MAC_BYTES);

/** The length of the purpose is part of the MAC, so that its end cannot be confused with the payload's beginning. */
function mac(key: KeyObject, purpose: string, payload: Uint8Array): Buffer {
  const hmac = createHmac('sha256', key).update(`${Buffer.byteLength(purpose)}:${purpose},`);
  return hmac.update(payload).digest().subarray(0, MAC_BYTES);
}
