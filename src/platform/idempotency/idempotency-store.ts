import { Injectable } from '@nestjs/common';
import { Keyring, DecryptionFailed } from '../crypto/index.js';
import { Database, sql } from '../database/index.js';
import { Conflict } from '../errors/index.js';

/** A request with an `Idempotency-Key`: token, path and key identify it, `body_hash` is the digest of its body. */
export interface IdempotentRequest {
  readonly token_id: number;
  readonly path: string;
  readonly key: string;
  readonly body_hash: string;
}

/** A larger response is not stored. */
const MAX_RESPONSE_BYTES = 65_536;

/**
 * The response to the first request with a key. `status` is null while that request is running; only `response` is null
 * if it was too large.
 */
export interface StoredResponse {
  readonly body_hash: string;
  readonly status: number | null;
  readonly response: string | null;
}

/**
 * Stores responses for 24 hours, encrypted because they can contain secrets that are shown only once. A key belongs to
 * a token, and so to a workspace. The key of a request that ended without a response can be used again after ten
 * minutes, which is longer than any request runs.
 */
@Injectable()
export class IdempotencyStore {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Reserves the key and returns undefined, or returns the stored response if another request was first.
   * @throws Conflict if the stored response cannot be decrypted because its encryption key was removed
   */
  async reserve(request: IdempotentRequest): Promise<StoredResponse | undefined> {
    const reserved = await this.database.execute(
      sql`INSERT INTO idempotency_keys AS stored (token_id, path, key, body_hash)
          VALUES (${request.token_id}, ${request.path}, ${request.key}, ${request.body_hash})
          ON CONFLICT (token_id, path, key) DO UPDATE
            SET body_hash = excluded.body_hash, status = NULL, response = NULL, created_at = now()
            WHERE stored.created_at < now() - interval '24 hours'
               OR (stored.status IS NULL AND stored.created_at < now() - interval '10 minutes')`,
    );
    if (reserved === 1) return undefined;
    const [stored] = await this.database.query<StoredResponse>(
      sql`SELECT body_hash, status, response FROM idempotency_keys
          WHERE token_id = ${request.token_id} AND path = ${request.path} AND key = ${request.key}`,
    );
    // No row: the other request has released the key between the two statements.
    return stored ? { ...stored, response: this.decrypt(request, stored.response) } : this.reserve(request);
  }

  /** Stores the response for repetitions of the request; of one larger than 64 KB only the status. */
  async save(request: IdempotentRequest, status: number, response: string): Promise<void> {
    const isSmall = Buffer.byteLength(response) <= MAX_RESPONSE_BYTES;
    const encrypted = isSmall ? this.keyring.encrypt(response, contextOf(request)) : null;
    await this.database.execute(
      sql`UPDATE idempotency_keys SET status = ${status}, response = ${encrypted}
          WHERE token_id = ${request.token_id} AND path = ${request.path} AND key = ${request.key}`,
    );
  }

  /** Releases the key, so that the request can be repeated. */
  async release(request: IdempotentRequest): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM idempotency_keys
          WHERE token_id = ${request.token_id} AND path = ${request.path} AND key = ${request.key} AND status IS NULL`,
    );
  }

  /** Deletes responses older than 24 hours and returns their number. */
  deleteExpired(): Promise<number> {
    const database = this.database.withoutTimeLimits();
    return database.execute(sql`DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`);
  }

  private decrypt(request: IdempotentRequest, encrypted: string | null): string | null {
    try {
      return encrypted === null ? null : this.keyring.decrypt(encrypted, contextOf(request));
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
      throw new Conflict('The first response to this Idempotency-Key can no longer be read.');
    }
  }
}

/** Stored responses cannot be decrypted with another text. */
const contextOf = ({ token_id: tokenId, path, key }: IdempotentRequest): string =>
  `idempotency:answer:${tokenId}:${path}:${key}`;
