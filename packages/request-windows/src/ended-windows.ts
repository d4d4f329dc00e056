import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '@outreach/database';
import { sql } from '@outreach/sql-fragments';

/** The number of rows that one statement deletes. */
const BATCH_SIZE = 10_000;
/** More rows are left to the next run. */
const MAX_BATCHES = 100;

/**
 * Deletes the windows that have ended: those of keys that were deleted, or send no requests. The next
 * request of a key starts a new window anyway.
 */
@Injectable()
export class EndedWindows {
  private readonly database: TenantDatabase;

  constructor(database: TenantDatabase) {
    this.database = database.withoutTimeLimits();
  }

  /** @returns the number of deleted windows, a million at most */
  async delete(): Promise<number> {
    let total = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const deleted = await this.deleteBatch();
      total += deleted;
      if (deleted < BATCH_SIZE) break;
    }
    return total;
  }

  /** Leaves out rows that a request is counting right now. */
  private deleteBatch(): Promise<number> {
    return this.database.execute(
      sql`WITH ended AS MATERIALIZED (
            SELECT key FROM quota_counters WHERE ends_at <= clock_timestamp() LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM quota_counters WHERE key IN (SELECT key FROM ended)`,
    );
  }
}
