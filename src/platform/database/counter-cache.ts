import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { type Sql, sql, type SqlValue } from '@outreach/sql-fragments';

/** The number of rows that one statement merges, which takes tens of milliseconds. */
const BATCH_SIZE = 10_000;

/** The number of merged rows after which the table is vacuumed. */
const VACUUM_THRESHOLD = 2000;

/**
 * @param counted what is counted, see `RecordCount`
 * @param owner the list, tag or campaign whose rows are counted, or 0 for the whole workspace
 * @returns an SQL expression for the number of rows, which reads the counter and does not count
 */
export const cachedCount = (workspace: SqlValue, counted: string, owner: Sql = sql`0`): Sql =>
  sql`(SELECT coalesce(sum(counter.total), 0)::bigint FROM record_counts counter
       WHERE counter.workspace_id = ${workspace} AND counter.counted = ${counted} AND counter.owner_id = ${owner})`;

/** SQL that adds to counters. @param rows selects workspace, name of the counter, owner and number */
export const addCounts = (rows: Sql): Sql =>
  sql`INSERT INTO record_counts (workspace_id, counted, owner_id, total) ${rows}`;

/** SQL that deletes the counters of a workspace. @param which a condition on `counted` and `owner_id` */
export const deleteCounts = (workspace: SqlValue, which: Sql): Sql =>
  sql`DELETE FROM record_counts WHERE workspace_id = ${workspace} AND ${which}`;

/** The condition that a counter has rows to merge. */
export const hasCountsToMerge = sql`EXISTS (SELECT 1 FROM record_counts WHERE NOT is_merged)`;

/** Merges the rows of the counters. */
@Injectable()
export class CounterCache {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
  }

  /**
   * Replaces all rows of a counter with one. A reader sees either the old rows or the new one, so the sum does not
   * change, even if two processes merge at the same time.
   */
  async merge(): Promise<void> {
    let merged = await this.mergeBatch();
    let total = merged;
    for (; merged === BATCH_SIZE; total += merged) merged = await this.mergeBatch();
    // Without this, each read of a busy counter skips its dead rows until the next autovacuum, a minute later.
    if (total >= VACUUM_THRESHOLD) await this.database.execute(sql`VACUUM record_counts`);
  }

  /** @returns the number of rows that were not merged yet */
  private async mergeBatch(): Promise<number> {
    const unmerged = await this.database.query<{ id: number }>(
      sql`SELECT id FROM record_counts WHERE NOT is_merged ORDER BY id LIMIT ${BATCH_SIZE}`,
    );
    const last = unmerged.at(-1);
    if (!last) return 0;
    await this.database.execute(
      sql`WITH touched AS (
            SELECT DISTINCT workspace_id, counted, owner_id FROM record_counts WHERE NOT is_merged AND id <= ${last.id}
          ), deleted AS (
            DELETE FROM record_counts counter USING touched
            WHERE counter.workspace_id = touched.workspace_id AND counter.counted = touched.counted
              AND counter.owner_id = touched.owner_id AND (counter.is_merged OR counter.id <= ${last.id})
            RETURNING counter.workspace_id, counter.counted, counter.owner_id, counter.total
          )
          INSERT INTO record_counts (workspace_id, counted, owner_id, total, is_merged)
          SELECT workspace_id, counted, owner_id, sum(total), TRUE FROM deleted GROUP BY 1, 2, 3`,
    );
    return unmerged.length;
  }
}
