import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** Limits the duration of a transaction that numbers batches. */
export const MAX_BATCHES_NUMBERED = 5_000;

/** Whether events are committed that have no IDs yet. */
export async function hasUnnumbered(scope: WorkspaceScope): Promise<boolean> {
  const [row] = await scope.query<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM event_batches WHERE workspace_id = ${scope} AND first_id IS NULL) AS found`.prepared(),
  );
  return row?.found ?? false;
}

/**
 * Gives IDs to the events of committed transactions, in the order in which they were stored, after all IDs that others
 * have got. The second statement has a snapshot that is newer than the lock, so it sees what its previous owner has
 * numbered. Writers of events do not wait for the lock.
 *
 * The number of a batch is found in an array, by binary search: PostgreSQL does not know how many batches have no IDs, and would
 * join them with each other in a time that is quadratic.
 * @returns the number of batches that got IDs
 */
export function numberEvents(scope: WorkspaceScope): Promise<number> {
  return scope.transaction(async (tx) => {
    await tx.execute(
      sql`INSERT INTO event_feeds (workspace_id, last_id) VALUES (${tx}, 0) ON CONFLICT (workspace_id) DO NOTHING`,
    );
    await tx.query(sql`SELECT last_id FROM event_feeds WHERE workspace_id = ${tx} FOR UPDATE`);
    const [row] = await tx.query<{ batches: number }>(
      sql`WITH unnumbered AS MATERIALIZED (
            SELECT array_agg(id ORDER BY id) AS ids, array_agg(total - size ORDER BY id) AS events_before,
              max(id) AS last_batch, coalesce(max(total), 0) AS events
            FROM (
              SELECT id, size, sum(size) OVER (ORDER BY id) AS total FROM (
                SELECT id, size FROM event_batches
                WHERE workspace_id = ${tx} AND first_id IS NULL ORDER BY id LIMIT ${MAX_BATCHES_NUMBERED}) oldest) summed
          ), numbered AS (
            UPDATE event_batches batch SET first_id = feed.last_id + 1
              + (SELECT events_before FROM unnumbered)[width_bucket(batch.id, (SELECT ids FROM unnumbered))]
            FROM event_feeds feed
            WHERE batch.workspace_id = ${tx} AND feed.workspace_id = ${tx} AND batch.first_id IS NULL
              AND batch.id <= (SELECT last_batch FROM unnumbered)
            RETURNING 1
          ), counted AS (
            UPDATE event_feeds SET last_id = last_id + (SELECT events FROM unnumbered) WHERE workspace_id = ${tx}
          )
          SELECT count(*)::int AS batches FROM numbered`,
    );
    return row?.batches ?? 0;
  });
}
