import { createHmac } from 'node:crypto';
import { type Sql, sql } from '../database/index.js';

const BLOCK_BYTES = 64;
const INNER_PADDING = 0x36;
const OUTER_PADDING = 0x5c;

/** What a hash begins with where a column has addresses, too. No address begins so, because it has a colon before its `@`. */
export const HASH_PREFIX = 'hmac-sha256:';

/** A key of HMAC-SHA256 (RFC 2104). PostgreSQL computes it too, so that one statement hashes any number of rows. */
export class HmacKey {
  readonly #inner: Buffer;
  readonly #outer: Buffer;
  readonly #key: Buffer;

  /** @param key at most 64 bytes @throws RangeError if it is longer */
  constructor(key: Uint8Array) {
    if (key.length > BLOCK_BYTES) throw new RangeError(`An HMAC key has at most ${BLOCK_BYTES} bytes`);
    this.#inner = padded(key, INNER_PADDING);
    this.#outer = padded(key, OUTER_PADDING);
    this.#key = Buffer.from(key);
  }

  /** @param text SQL of the type text @returns SQL of the type bytea, of 32 bytes */
  hash(text: Sql): Sql {
    // Not `convert_to`, which an engine of several nodes refuses in a write, because it depends on the encoding of the database.
    const inner = sql`sha256(${this.#inner}::bytea || replace(${text}, '\\', '\\\\')::bytea)`;
    return sql`sha256(${this.#outer}::bytea || ${inner})`;
  }

  /** @returns what {@link hash} computes, of 32 bytes */
  digest(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

function padded(key: Uint8Array, padding: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(key);
  return block.map((byte) => byte ^ padding) as Buffer;
}
