import { Injectable } from '@nestjs/common';
import { Database, sql } from '../platform/database/index.js';
import type { Principal } from '../platform/http/requests/index.js';

/** Looks up tokens. Reads across tenants, because the token determines the workspace. */
@Injectable()
export class TokenLookup {
  constructor(private readonly database: Database) {}

  /**
   * The caller with the token of this SHA-256, which may have expired; undefined if it is unknown or revoked, or its workspace
   * is being deleted.
   */
  async principal(hash: string): Promise<Principal | undefined> {
    const [found] = await this.database.query<Principal>(
      sql`SELECT token.id AS token_id, token.workspace_id, token.name, token.permissions, token.expires_at,
            workspace.is_sandbox
          FROM api_tokens token JOIN workspaces workspace ON workspace.id = token.workspace_id
          WHERE token.hash = ${hash} AND workspace.deletion_started_at IS NULL`.prepared(),
    );
    if (found) this.database.noteSandbox(found.workspace_id, found.is_sandbox);
    return found;
  }

  /**
   * Writes `last_used_at` of many tokens in one statement, by the clock of their workspaces.
   * @param usedAt by the real time
   */
  async touch(usedAt: ReadonlyMap<number, Date>): Promise<void> {
    const ahead = sql`${this.database.nowOf(sql`token.workspace_id`)} - ${sql.realNow}`;
    const used = await this.database.query<{ id: number; at: Date }>(
      sql`SELECT token.id, used.at + (${ahead}) AS at
          FROM unnest(${[...usedAt.keys()]}::bigint[], ${[...usedAt.values()]}::timestamptz[]) AS used (id, at)
          JOIN api_tokens token ON token.id = used.id`,
    );
    await this.database.execute(
      sql`UPDATE api_tokens token SET last_used_at = used.at
          FROM unnest(${used.map(({ id }) => id)}::bigint[], ${used.map(({ at }) => at)}::timestamptz[]) AS used (id, at)
          WHERE token.id = used.id AND (token.last_used_at IS NULL OR token.last_used_at < used.at)`,
    );
  }

  /** Deletes a token of any workspace. @returns false if it does not exist */
  async revoke(id: number): Promise<boolean> {
    return (await this.database.execute(sql`DELETE FROM api_tokens WHERE id = ${id}`)) === 1;
  }
}
