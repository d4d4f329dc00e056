import { Injectable } from '@nestjs/common';
import { Keyring, DecryptionFailed } from '../crypto/index.js';
import { Database, sql } from '../database/index.js';
import { Conflict } from '../errors/index.js';

/** What identifies a request that may be sent twice: token, path and key; and the digest of its body. */
export interface IdempotentRequest {
  readonly token_id: number;
  readonly path: string;
  readonly key: string;
  readonly body_hash: string;
}

export interface StoredResponse {
  readonly body_hash: string;
  readonly status: number | null;
  readonly response: string | null;
}

/**
 * Answers kept for 24 hours, sealed, for they may hold what is shown but once. Keys belong to tokens, which belong to
 * workspaces.
 * A request that died without an answer gives its key free after ten minutes, longer than any request runs.
 */
@Injectable()
export class IdempotencyStore {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Reserves the key; gives what stands there already when another request was first.
   * @throws Conflict when that can no longer be read, because the key that sealed it is gone
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
    // Gone between the two statements: the other request has given the key free.
    return stored ? { ...stored, response: this.decrypt(request, stored.response) } : this.reserve(request);
  }

  /** Keeps the answer for those who ask again. */
  async save(request: IdempotentRequest, status: number, response: string): Promise<void> {
    const encrypted = this.keyring.encrypt(response, contextOf(request));
    await this.database.execute(
      sql`UPDATE idempotency_keys SET status = ${status}, response = ${encrypted}
          WHERE token_id = ${request.token_id} AND path = ${request.path} AND key = ${request.key}`,
    );
  }

  /** Gives the key free: nothing that may be replayed has happened. */
  async release(request: IdempotentRequest): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM idempotency_keys
          WHERE token_id = ${request.token_id} AND path = ${request.path} AND key = ${request.key} AND status IS NULL`,
    );
  }

  /** Removes what is older than a day. */
  deleteExpired(): Promise<number> {
    return this.database.execute(sql`DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`);
  }

  private decrypt(request: IdempotentRequest, encrypted: string | null): string | null {
    try {
      return encrypted === null ? null : this.keyring.decrypt(encrypted, contextOf(request));
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
      throw new Conflict('The first answer to this Idempotency-Key can no longer be read.');
    }
  }
}

const contextOf = ({ token_id: tokenId, path, key }: IdempotentRequest): string =>
  `idempotency:answer:${tokenId}:${path}:${key}`;
