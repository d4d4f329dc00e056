import { Injectable } from '@nestjs/common';
import { Keyring, SealBroken } from '../crypto/index.js';
import { Database, sql } from '../database/index.js';
import { Conflict } from '../errors/index.js';

/** What identifies a request that may be sent twice: token, path and key; and the digest of its body. */
export interface RequestKey {
  readonly token_id: number;
  readonly path: string;
  readonly key: string;
  readonly body_hash: string;
}

export interface KeptAnswer {
  readonly body_hash: string;
  readonly status: number | null;
  readonly answer: string | null;
}

/**
 * Answers kept for 24 hours, sealed, for they may hold what is shown but once. Keys belong to tokens, which belong to
 * workspaces.
 * A request that died without an answer gives its key free after ten minutes, longer than any request runs.
 */
@Injectable()
export class KeptAnswers {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Reserves the key; gives what stands there already when another request was first.
   * @throws Conflict when that can no longer be read, because the key that sealed it is gone
   */
  async reserve(request: RequestKey): Promise<KeptAnswer | undefined> {
    const reserved = await this.database.execute(
      sql`INSERT INTO idempotency_keys AS kept (token_id, path, key, body_hash)
          VALUES (${request.token_id}, ${request.path}, ${request.key}, ${request.body_hash})
          ON CONFLICT (token_id, path, key) DO UPDATE
            SET body_hash = excluded.body_hash, status = NULL, answer = NULL, created_at = now()
            WHERE kept.created_at < now() - interval '24 hours'
               OR (kept.status IS NULL AND kept.created_at < now() - interval '10 minutes')`,
    );
    if (reserved === 1) return undefined;
    const [kept] = await this.database.query<KeptAnswer>(
      sql`SELECT body_hash, status, answer FROM idempotency_keys
          WHERE token_id = ${request.token_id} AND path = ${request.path} AND key = ${request.key}`,
    );
    // Gone between the two statements: the other request has given the key free.
    return kept ? { ...kept, answer: this.open(request, kept.answer) } : this.reserve(request);
  }

  /** Keeps the answer for those who ask again. */
  async keep(request: RequestKey, status: number, answer: string): Promise<void> {
    const sealed = this.keyring.seal(answer, contextOf(request));
    await this.database.execute(
      sql`UPDATE idempotency_keys SET status = ${status}, answer = ${sealed}
          WHERE token_id = ${request.token_id} AND path = ${request.path} AND key = ${request.key}`,
    );
  }

  /** Gives the key free: nothing that may be replayed has happened. */
  async release(request: RequestKey): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM idempotency_keys
          WHERE token_id = ${request.token_id} AND path = ${request.path} AND key = ${request.key} AND status IS NULL`,
    );
  }

  /** Removes what is older than a day. */
  forgetOld(): Promise<number> {
    return this.database.execute(sql`DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`);
  }

  private open(request: RequestKey, sealed: string | null): string | null {
    try {
      return sealed === null ? null : this.keyring.open(sealed, contextOf(request));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw new Conflict('The first answer to this Idempotency-Key can no longer be read.');
    }
  }
}

const contextOf = ({ token_id: tokenId, path, key }: RequestKey): string =>
  `idempotency:answer:${tokenId}:${path}:${key}`;
