import { Injectable } from '@nestjs/common';
import { Database, type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { BlacklistHashes } from './blacklist-hashes.js';
import { isInForce } from './blacklist.queries.js';

/**
 * The blacklist of all workspaces. Reads across tenants on purpose: no workspace sends to an address that any workspace
 * has blacklisted (API v1, "What the service does", rule 2).
 */
@Injectable()
export class GlobalBlacklist {
  constructor(
    private readonly database: Database,
    private readonly hashes: BlacklistHashes,
  ) {}

  /**
   * @param email SQL of an address in lower case
   * @returns SQL for whether the workspace, or another one for all, has blacklisted it, as an address or, of an erased person,
   *   as a hash
   */
  isListed(scope: WorkspaceScope, email: Sql): Sql {
    return sql`EXISTS (SELECT 1 FROM ${scope.crossTenant} blacklist_entries entry
      WHERE entry.email IN (${email}, ${this.hashes.sqlOf(email)}) AND ${isInForce(scope)})`;
  }

  /**
   * Those of the addresses that the workspace, or another one for all, has blacklisted, without saying which workspace.
   * @param emails in lower case, as they are stored
   */
  async findListed(scope: WorkspaceScope, emails: readonly string[]): Promise<ReadonlySet<string>> {
    if (emails.length === 0) return new Set();
    const addresses = new Map(
      emails.flatMap(
        (email) =>
          [
            [email, email],
            [this.hashes.of(email), email],
          ] as const,
      ),
    );
    const rows = await this.database.query<{ email: string }>(
      sql`SELECT DISTINCT entry.email FROM blacklist_entries entry
          WHERE entry.email = ANY(${[...addresses.keys()]}::text[]) AND ${isInForce(scope)}`,
    );
    return new Set(rows.flatMap((row) => addresses.get(row.email) ?? []));
  }
}
