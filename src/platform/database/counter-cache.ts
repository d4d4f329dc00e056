import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { type Sql, sql, type SqlValue } from './sql.js';

/** Rows that one statement merges: some ten milliseconds. */
const BATCH_SIZE = 10_000;

/** After so many the table is cleaned up. */
const VACUUM_THRESHOLD = 2000;

/**
 * How many rows of a table a workspace has, or one owner in it: read, not counted.
 * @param counted what is counted, see `RecordCount`
 * @param owner the list, tag or campaign whose rows are meant; 0 for the whole workspace
 */
export const cachedCount = (workspace: SqlValue, counted: string, owner: Sql = sql`0`): Sql =>
  sql`(SELECT coalesce(sum(counter.total), 0)::bigint FROM record_counts counter
       WHERE counter.workspace_id = ${workspace} AND counter.counted = ${counted} AND counter.owner_id = ${owner})`;

/** The rows behind the counter counts. */
@Injectable()
export class CounterCache {
  constructor(private readonly database: Database) {}

  /**
   * Puts one row in the place of all that belong to the same count. A reader sees either those or this one, so the sum
   * never changes; neither does it when two processes do this at once.
   */
  async merge(): Promise<void> {
    let merged = await this.mergeBatch();
    let total = merged;
    for (; merged === BATCH_SIZE; total += merged) merged = await this.mergeBatch();
    // Readers of a busy count would step over its dead rows until the next automatic vacuum, a minute later.
    if (total >= VACUUM_THRESHOLD) await this.database.execute(sql`VACUUM record_counts`);
  }

  /** @returns how many differences there were to merge */
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
