import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { sql } from './sql.js';

/**
 * The planner's statistics. PostgreSQL renews them by itself about once a minute. Until then a workspace that has just
 * written its first hundred thousand rows looks as if it had one, and statements by its IDs scan all of them.
 */
@Injectable()
export class Statistics {
  constructor(private readonly database: Database) {}

  /** Analyzes the tables of which more than a fifth has changed. @returns their names */
  async refresh(): Promise<string[]> {
    const stale = await this.database.query<{ name: string }>(
      sql`SELECT statistics.relname AS name FROM pg_stat_user_tables statistics
          JOIN pg_class class ON class.oid = statistics.relid
          WHERE statistics.schemaname = current_schema()
            AND statistics.n_mod_since_analyze > 500 + 0.2 * greatest(class.reltuples, 0)`,
    );
    for (const { name } of stale) await this.database.execute(sql`ANALYZE ${sql.ref(name)}`);
    return stale.map(({ name }) => name);
  }

  /** The same in so much time at most. @throws StatementTimedOut */
  refreshWithin(milliseconds: number): Promise<string[]> {
    return this.database.transactionWithin(milliseconds, (tx) => new Statistics(tx).refresh());
  }
}
