import { Injectable } from '@nestjs/common';
import { Database, sql } from '../platform/database/index.js';

/**
 * The blacklist of all workspaces together. Crosses them on purpose: an address that one has blacklisted is never sent
 * to by any (API v1, "What the service does", rule 2).
 */
@Injectable()
export class GlobalBlacklist {
  constructor(private readonly database: Database) {}

  /** Which of the addresses (in lower case, as they are stored) some workspace has blacklisted. Whose it is stays hidden. */
  async findListed(emails: readonly string[]): Promise<ReadonlySet<string>> {
    if (emails.length === 0) return new Set();
    const rows = await this.database.query<{ email: string }>(
      sql`SELECT DISTINCT email FROM blacklist_entries WHERE email = ANY(${[...emails]}::text[])`,
    );
    return new Set(rows.map((row) => row.email));
  }
}
