import { Injectable } from '@nestjs/common';
import { BackgroundSteps } from '@outreach/concurrency';
import { DecryptionFailed } from '@outreach/keyring';
import { type EncryptedColumn, Keyring } from '../crypto/index.js';
import { Conflict, defineReason } from '@outreach/http-errors';
import { Database, type Sql, sql } from '../database/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';
import {
  deleteResponses,
  eraseResponses,
  type KeyPosition,
  responsesAfter,
  type StoredKey,
} from './erase-responses.queries.js';
import { readableKey } from './readable-key.js';

/** A request with an `Idempotency-Key`: token, path and key identify it, `body_hash` is the digest of its body. */
export interface IdempotentRequest {
  readonly workspace_id: number;
  readonly token_id: number;
  readonly path: string;
  readonly key: string;
  readonly body_hash: string;
}

/** For how long a response is stored. */
const LIFETIME = sql`interval '24 hours'`;

/** The condition that the row `stored`, which an INSERT has found, is older than that when it is replaced. */
const IS_OVER = sql`stored.created_at < ${sql.later(sql`excluded.created_at`, sql`-${LIFETIME}`)}`;

/** A larger response is not stored. */
const MAX_RESPONSE_BYTES = 65_536;

/** Which stored responses tell of a person. */
export interface ResponseTraces {
  /** Whether the response to a request tells of the person. */
  isResponseAbout(response: string, path: string): boolean;
  /** Whether the key or the path does. The text has both, in each form that a client may have written. */
  isKeyAbout(text: string): boolean;
}

/** How much {@link IdempotencyStore.eraseMatching} reads at a time. */
const MAX_READ_BYTES = 10_000_000;
const MAX_READ = 5_000;

/** The response to the first request with a key. `response` is null if it was too large. */
export interface StoredResponse {
  readonly body_hash: string;
  readonly status: number;
  readonly response: string | null;
}

const KEY_IN_USE = defineReason(
  'idempotency_key_in_use',
  409,
  'The first request with this `Idempotency-Key` is still running. Repeat the request later.',
);
const RESPONSE_UNREADABLE = defineReason(
  'response_unreadable',
  409,
  'The first request with this `Idempotency-Key` was done, but the key that its response was encrypted with was removed.',
);

/** 409: the response to the first request is not known yet, so this one is not stored. */
export class StillRunning extends Conflict {
  constructor() {
    super(KEY_IN_USE, 'The first request with this Idempotency-Key is still running.');
  }
}

/**
 * Stores responses for 24 hours by the clock of the workspace, encrypted because they can contain secrets that are shown only
 * once. A key belongs to a token of a workspace.
 */
@Injectable()
export class IdempotencyStore {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
    private readonly steps: BackgroundSteps,
  ) {}

  /**
   * @returns the stored response; undefined if there is none
   * @throws Conflict if it cannot be decrypted because its encryption key was removed
   */
  async find(request: IdempotentRequest): Promise<StoredResponse | undefined> {
    const [stored] = await this.database.query<StoredResponse>(
      sql`SELECT body_hash, status, response FROM idempotency_keys
          WHERE workspace_id = ${request.workspace_id} AND token_id = ${request.token_id} AND path = ${request.path}
            AND key = ${request.key}
            AND created_at >= ${this.oldest(request)} AND reserved_until IS NULL`,
    );
    return stored && { ...stored, response: this.decrypt(request, stored.response) };
  }

  /**
   * Locks the key until the transaction ends. PostgreSQL releases the lock if the process dies.
   * @throws StillRunning if another transaction has the lock
   */
  async lock(tx: Database, request: IdempotentRequest): Promise<void> {
    const [row] = await tx.query<{ is_locked: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${contextOf(request)}, 0)) AS is_locked`,
    );
    if (!row?.is_locked) throw new StillRunning();
  }

  /**
   * Reserves the key for all processes, in a transaction of its own, until {@link save} or {@link release}.
   * @param seconds after which another request may reserve it, because this process has died
   * @returns until when; undefined if another request has reserved it, or its response is stored
   */
  async reserve(request: IdempotentRequest, seconds: number): Promise<Date | undefined> {
    const duration = sql`make_interval(secs => ${sql.integer(seconds)})`;
    const [row] = await this.database.query<{ until: Date }>(
      sql`INSERT INTO idempotency_keys AS stored (workspace_id, token_id, path, key, body_hash, status, created_at,
        reserved_until)
          SELECT ${valuesOf(request)}, 0, ${this.nowOf(request)}, ${sql.realNow} + ${duration}
          ON CONFLICT (workspace_id, token_id, path, key) DO UPDATE
            SET body_hash = excluded.body_hash, status = 0, response = NULL, created_at = excluded.created_at,
              reserved_until = excluded.reserved_until
            WHERE CASE WHEN stored.reserved_until IS NULL THEN ${IS_OVER}
              ELSE stored.reserved_until < ${sql.later(sql`excluded.reserved_until`, sql`-${duration}`)} END
          RETURNING stored.reserved_until AS until`,
    );
    return row?.until;
  }

  /** Ends a reservation without a response. @param until as {@link reserve} has returned it */
  async release(request: IdempotentRequest, until: Date): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM idempotency_keys
          WHERE workspace_id = ${request.workspace_id} AND token_id = ${request.token_id} AND path = ${request.path}
            AND key = ${request.key} AND reserved_until = ${until}`,
    );
  }

  /**
   * Stores the response for repetitions of the request; of one larger than 64 KB only the status.
   * @param database in the open transaction, the response is stored only if the transaction is committed
   * @returns false if the response to another request is stored already; this one is not stored then
   */
  async save(request: IdempotentRequest, status: number, response: string, database = this.database): Promise<boolean> {
    const isSmall = Buffer.byteLength(response) <= MAX_RESPONSE_BYTES;
    const encrypted = isSmall ? this.keyring.encrypt(response, contextOf(request)) : null;
    const saved = await database.query(
      sql`INSERT INTO idempotency_keys AS stored (workspace_id, token_id, path, key, body_hash, status, response, created_at)
          SELECT ${valuesOf(request)}, ${status}, ${encrypted}, ${this.nowOf(request)}
          ON CONFLICT (workspace_id, token_id, path, key) DO UPDATE
            SET body_hash = excluded.body_hash, status = excluded.status, response = excluded.response,
              created_at = excluded.created_at,
              reserved_until = NULL
            WHERE ${IS_OVER} OR stored.reserved_until IS NOT NULL
          RETURNING 1`,
    );
    return saved.length === 1;
  }

  /** Deletes responses older than 24 hours and returns their number. Those of sandboxes that are ahead expire by their clocks. */
  async deleteExpired(): Promise<number> {
    const database = this.database.withoutTimeLimits();
    const ahead = database.workspacesAhead;
    const workspace = sql`workspace_id`;
    const expired = (now: Sql): Sql => sql`DELETE FROM idempotency_keys WHERE created_at < ${now} - ${LIFETIME}`;
    const deleted = await database.execute(expired(sql.realNow));
    if (!ahead) return deleted;
    const isDone = sql`(reserved_until IS NULL OR reserved_until < ${sql.realNow})`;
    return (
      deleted + (await database.execute(sql`${expired(ahead.now(workspace))} AND ${isDone}${ahead.within(workspace)}`))
    );
  }

  /**
   * Deletes stored responses of a workspace that tell of a person, so that no repetition of their requests shows them, and
   * keys that do. Reads some megabytes at most.
   * @param after the last key that was read before
   * @returns that of this time; undefined if no more follow
   */
  async eraseMatching(
    scope: WorkspaceScope,
    traces: ResponseTraces,
    after: KeyPosition | null,
  ): Promise<KeyPosition | undefined> {
    let last = after;
    for (let bytes = 0, read = 0; bytes < MAX_READ_BYTES && read < MAX_READ;) {
      const rows = await responsesAfter(scope, last);
      const erased: StoredKey[] = [];
      const isAbout = (row: StoredKey) => (traces.isResponseAbout(this.readable(row), row.path) ? [row] : []);
      for await (const found of this.steps.map(scope.workspace_id, rows, isAbout)) erased.push(...found.flat());
      await eraseResponses(scope, erased);
      await deleteResponses(
        scope,
        rows.filter((row) => traces.isKeyAbout(readableKey(row))),
      );
      const position = rows.at(-1);
      if (!position) return undefined;
      last = { token_id: position.token_id, path: position.path, key: position.key };
      bytes += rows.reduce((sum, { response }) => sum + (response?.length ?? 0), 0);
      read += rows.length;
    }
    return last ?? undefined;
  }

  /** Empty if it was not stored, or cannot be decrypted any more. */
  private readable(row: StoredKey): string {
    try {
      return row.response === null ? '' : this.keyring.decrypt(row.response, contextOf({ ...row }));
    } catch (error) {
      if (error instanceof DecryptionFailed) return '';
      throw error;
    }
  }

  /** A response expires by the clock of its workspace. A reservation protects from a process that has died, in real time. */
  private nowOf({ workspace_id: workspaceId }: IdempotentRequest): Sql {
    return this.database.storedNowOf(workspaceId);
  }

  private oldest(request: IdempotentRequest): Sql {
    return sql`${this.nowOf(request)} - ${LIFETIME}`;
  }

  private decrypt(request: IdempotentRequest, encrypted: string | null): string | null {
    try {
      return encrypted === null ? null : this.keyring.decrypt(encrypted, contextOf(request));
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
      throw new Conflict(RESPONSE_UNREADABLE, 'The first response to this Idempotency-Key can no longer be read.');
    }
  }
}

const valuesOf = ({ workspace_id: workspace, token_id: token, path, key, body_hash: hash }: IdempotentRequest): Sql =>
  sql`${workspace}::bigint, ${token}::bigint, ${path}::text, ${key}::text, ${hash}::text`;

/** Stored responses cannot be decrypted with another text. */
const contextOf = ({ token_id: tokenId, path, key }: Readonly<Record<'token_id' | 'path' | 'key', unknown>>): string =>
  `idempotency:answer:${String(tokenId)}:${String(path)}:${String(key)}`;

/** The encrypted column of stored responses. */
export const ENCRYPTED_RESPONSES: EncryptedColumn = {
  table: 'idempotency_keys',
  column: 'response',
  primary_key: ['workspace_id', 'token_id', 'path', 'key'],
  meaning: 'responses to requests with an Idempotency-Key',
  contextOf: ({ token_id, path, key }) => contextOf({ token_id, path, key }),
};
