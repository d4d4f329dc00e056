import type { TenantDatabase } from '@outreach/database';
import { sql } from '@outreach/sql-fragments';
import type { WindowState, WindowStore } from './windows.js';

/** Stores windows in PostgreSQL, if there is no Redis. */
export class PostgresWindows implements WindowStore {
  constructor(private readonly database: TenantDatabase) {}

  async add(requests: ReadonlyMap<string, number>, seconds: number): Promise<ReadonlyMap<string, WindowState>> {
    // Sorted, so that two processes lock the same rows in the same order.
    const keys = [...requests.keys()].sort();
    const counts = keys.map((key) => requests.get(key));
    const rows = await this.database.query<WindowState & { key: string }>(
      sql`INSERT INTO quota_counters AS counter (key, requests, ends_at)
          SELECT key, requests, clock_timestamp() + make_interval(secs => ${seconds})
          FROM unnest(${keys}::text[], ${counts}::integer[]) AS batch (key, requests)
          ON CONFLICT (key) DO UPDATE SET
            requests = CASE WHEN counter.ends_at <= clock_timestamp() THEN excluded.requests
              ELSE counter.requests + excluded.requests END,
            ends_at = CASE WHEN counter.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE counter.ends_at END
          RETURNING key, requests, (extract(epoch FROM ends_at - clock_timestamp()) * 1000)::float8 AS ends_in_ms`.prepared(),
    );
    return new Map(rows.map((row) => [row.key, row]));
  }

  async close(): Promise<void> {}
}
