import { Injectable } from '@nestjs/common';
import { Database, sql } from '../platform/database/index.js';

/**
 * The blacklist of all workspaces. Reads across tenants on purpose: no workspace sends to an address that any workspace
 * has blacklisted (API v1, "What the service does", rule 2).
 */
@Injectable()
export class GlobalBlacklist {
  constructor(private readonly database: Database) {}

  /**
   * Those of the addresses that any workspace has blacklisted, without saying which workspace.
   * @param emails in lower case, as they are stored
   */
  async findListed(emails: readonly string[]): Promise<ReadonlySet<string>> {
    if (emails.length === 0) return new Set();
    const rows = await this.database.query<{ email: string }>(
      sql`SELECT DISTINCT email FROM blacklist_entries WHERE email = ANY(${[...emails]}::text[])`,
    );
    return new Set(rows.map((row) => row.email));
  }
}
