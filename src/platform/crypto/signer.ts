import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { fromBase64url } from './base64url.js';
import { decodeIntegers, encodeIntegers } from './integers.js';
import type { Keyring } from './keyring.js';

const MAC_BYTES = 16;

/** `count` numbers: a tuple where the count is known to the compiler. */
type Ids<Count extends number, Known extends number[] = []> = number extends Count
  ? number[]
  : Known['length'] extends Count
    ? Known
    : Ids<Count, [...Known, number]>;

/**
 * Signs small payloads for links that strangers hold: anybody can read a token, nobody can make or change one.
 * A token is base64url of the payload and 128 bits of HMAC-SHA256 (RFC 2104), and serves one purpose only.
 * The first key of the ring signs, each of them verifies. Nothing in a token expires.
 */
export class Signer {
  readonly #keys: readonly [KeyObject, ...KeyObject[]];

  constructor(keyring: Keyring) {
    this.#keys = keyring.derive('sign');
  }

  /** A token for a payload: URL-safe, 22 characters longer than the payload's base64. */
  sign(purpose: string, payload: Uint8Array): string {
    return Buffer.concat([payload, mac(this.#keys[0], purpose, payload)]).toString('base64url');
  }

  /** The payload of a token signed for this purpose; undefined for any other text. Never throws. */
  verify(purpose: string, token: string): Buffer | undefined {
    const bytes = fromBase64url(token);
    if (bytes === undefined || bytes.length < MAC_BYTES) return undefined;
    const payload = bytes.subarray(0, -MAC_BYTES);
    const received = bytes.subarray(-MAC_BYTES);
    return this.#keys.some((key) => timingSafeEqual(mac(key, purpose, payload), received)) ? payload : undefined;
  }

  /** A token for ids: 30 characters for two usual ones, 43 at most for two. Throws a RangeError on what is no id. */
  signIds(purpose: string, ids: readonly number[]): string {
    return this.sign(purpose, encodeIntegers(ids));
  }

  /** The ids of a token signed for this purpose, exactly `count` of them; undefined for any other text. */
  verifyIds<const Count extends number>(purpose: string, token: string, count: Count): Ids<Count> | undefined {
    const payload = this.verify(purpose, token);
    const ids = payload && decodeIntegers(payload);
    return ids?.length === count ? (ids as Ids<Count>) : undefined;
  }
}

/** The purpose goes in with its length, so that none of it can be taken for the payload's beginning. */
function mac(key: KeyObject, purpose: string, payload: Uint8Array): Buffer {
  const hmac = createHmac('sha256', key).update(`${Buffer.byteLength(purpose)}:${purpose},`);
  return hmac.update(payload).digest().subarray(0, MAC_BYTES);
}
