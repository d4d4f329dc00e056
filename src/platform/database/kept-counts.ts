import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { type Sql, sql, type SqlValue } from './sql.js';

/** Rows that one statement merges: some ten milliseconds. */
const CHUNK = 10_000;

/** After so many the table is cleaned up. */
const MANY = 2000;

/**
 * How many rows of a table a workspace has, or one owner in it: read, not counted.
 * @param counted what is counted, see `RecordCount`
 * @param owner the list, tag or campaign whose rows are meant; 0 for the whole workspace
 */
export const keptCount = (workspace: SqlValue, counted: string, owner: Sql = sql`0`): Sql =>
  sql`(SELECT coalesce(sum(kept.total), 0)::bigint FROM record_counts kept
       WHERE kept.workspace_id = ${workspace} AND kept.counted = ${counted} AND kept.owner_id = ${owner})`;

/** The rows behind the kept counts. */
@Injectable()
export class KeptCounts {
  constructor(private readonly database: Database) {}

  /**
   * Puts one row in the place of all that belong to the same count. A reader sees either those or this one, so the sum
   * never changes; neither does it when two processes do this at once.
   */
  async merge(): Promise<void> {
    let merged = await this.mergeChunk();
    let all = merged;
    for (; merged === CHUNK; all += merged) merged = await this.mergeChunk();
    // Readers of a busy count would step over its dead rows until the next automatic vacuum, a minute later.
    if (all >= MANY) await this.database.execute(sql`VACUUM record_counts`);
  }

  /** @returns how many differences there were to merge */
  private async mergeChunk(): Promise<number> {
    const fresh = await this.database.query<{ id: number }>(
      sql`SELECT id FROM record_counts WHERE NOT is_merged ORDER BY id LIMIT ${CHUNK}`,
    );
    const last = fresh.at(-1);
    if (!last) return 0;
    await this.database.execute(
      sql`WITH touched AS (
            SELECT DISTINCT workspace_id, counted, owner_id FROM record_counts WHERE NOT is_merged AND id <= ${last.id}
          ), gone AS (
            DELETE FROM record_counts kept USING touched
            WHERE kept.workspace_id = touched.workspace_id AND kept.counted = touched.counted
              AND kept.owner_id = touched.owner_id AND (kept.is_merged OR kept.id <= ${last.id})
            RETURNING kept.workspace_id, kept.counted, kept.owner_id, kept.total
          )
          INSERT INTO record_counts (workspace_id, counted, owner_id, total, is_merged)
          SELECT workspace_id, counted, owner_id, sum(total), TRUE FROM gone GROUP BY 1, 2, 3`,
    );
    return fresh.length;
  }
}
