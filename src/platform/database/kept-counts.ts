import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { type Sql, sql, type SqlValue } from './sql.js';

/** Rows that one statement merges: some ten milliseconds. */
const CHUNK = 10_000;

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
    let merged = CHUNK;
    while (merged === CHUNK) merged = await this.mergeChunk();
  }

  private async mergeChunk(): Promise<number> {
    const [chunk] = await this.database.query<{ differences: number }>(
      sql`WITH fresh AS MATERIALIZED (
            SELECT id, workspace_id, counted, owner_id FROM record_counts WHERE NOT is_merged ORDER BY id LIMIT ${CHUNK}
          ), gone AS (
            DELETE FROM record_counts kept
            USING (SELECT DISTINCT workspace_id, counted, owner_id FROM fresh) touched
            WHERE kept.workspace_id = touched.workspace_id AND kept.counted = touched.counted
              AND kept.owner_id = touched.owner_id
              AND (kept.is_merged OR kept.id <= (SELECT max(id) FROM fresh))
            RETURNING kept.workspace_id, kept.counted, kept.owner_id, kept.total
          ), merged AS (
            INSERT INTO record_counts (workspace_id, counted, owner_id, total, is_merged)
            SELECT workspace_id, counted, owner_id, sum(total), TRUE FROM gone GROUP BY 1, 2, 3
          )
          SELECT count(*) AS differences FROM fresh`,
    );
    return chunk?.differences ?? 0;
  }
}
