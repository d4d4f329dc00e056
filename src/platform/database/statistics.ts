import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { sql } from '@outreach/sql-fragments';

/**
 * The planner's statistics. PostgreSQL refreshes them about once a minute. Until then the planner assumes that a
 * workspace with its first hundred thousand rows has one row, and scans all rows for a statement that could use an
 * index.
 */
@Injectable()
export class Statistics {
  constructor(private readonly database: Database) {}

  /**
   * Runs ANALYZE on each large table of which more than a fifth or 20,000 rows have changed, or that has a large workspace
   * that its statistics do not know.
   * @returns the names of these tables
   */
  refresh(): Promise<string[]> {
    return analyzeStale(this.database.withoutTimeLimits());
  }

  /** Like {@link refresh}, with a timeout for each statement. @throws StatementTimedOut */
  refreshWithin(milliseconds: number): Promise<string[]> {
    return this.database.transactionWithin(milliseconds, analyzeStale);
  }
}

/**
 * Smaller tables are not analyzed. A queue that was analyzed while it was empty would count as empty when it is full, because
 * the planner multiplies the rows of a block by the blocks: it would read a whole queue for each of its rows.
 */
const MIN_ROWS = 1_000;

/** In a large table, the rows of a new workspace are fewer than a fifth, and the planner does not know that there are any. */
const MAX_CHANGES = 20_000;

/** A sample of 30,000 rows has 30 of a workspace with this part of the table, so that its statistics know it. */
const KNOWN_PART = 0.001;

/**
 * The condition that the statistics of a table list all workspaces that they know, and that it has many rows of another one,
 * which the planner takes for one row: it would read all rows of this workspace for each of them. By the counter cache, so
 * for tables that are counted.
 */
const hasUnknownWorkspace = sql`EXISTS (
  SELECT 1 FROM pg_stats known CROSS JOIN workspaces workspace
  WHERE known.schemaname = statistics.schemaname AND known.tablename = statistics.relname
    AND known.attname = 'workspace_id' AND known.n_distinct = cardinality(known.most_common_vals::text::bigint[])
    AND workspace.id <> ALL (known.most_common_vals::text::bigint[])
    AND (SELECT sum(counter.total) FROM record_counts counter
         WHERE counter.workspace_id = workspace.id AND counter.counted = statistics.relname)
      >= greatest(${MIN_ROWS}::int, class.reltuples * ${KNOWN_PART}::float8))`;

/** The rows and the statistics of shards are on the nodes, which analyze them by themselves. */
async function analyzeStale(database: Database): Promise<string[]> {
  if (database.isDistributed) return [];
  const stale = await database.query<{ name: string }>(
    sql`SELECT statistics.relname AS name FROM pg_stat_user_tables statistics
          JOIN pg_class class ON class.oid = statistics.relid
          WHERE statistics.schemaname = current_schema()
            AND statistics.n_live_tup >= ${MIN_ROWS}::int
            AND (statistics.n_mod_since_analyze > least(500 + 0.2 * greatest(class.reltuples, 0), ${MAX_CHANGES}::int)
              OR statistics.n_mod_since_analyze >= ${MIN_ROWS}::int AND ${hasUnknownWorkspace})`,
  );
  for (const { name } of stale) await database.execute(sql`ANALYZE ${sql.ref(name)}`);
  return stale.map(({ name }) => name);
}
