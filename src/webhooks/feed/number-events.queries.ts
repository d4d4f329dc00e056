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
            SELECT id, created_at, size, sum(size) OVER (ORDER BY id) AS total FROM (
              SELECT id, created_at, size FROM event_batches
              WHERE workspace_id = ${tx} AND first_id IS NULL ORDER BY id LIMIT ${MAX_BATCHES_NUMBERED}) oldest
          ), numbered AS (
            UPDATE event_batches batch SET first_id = feed.last_id + unnumbered.total - unnumbered.size + 1
            FROM unnumbered, event_feeds feed
            WHERE batch.workspace_id = ${tx} AND feed.workspace_id = ${tx} AND batch.first_id IS NULL
              AND batch.id = unnumbered.id AND batch.created_at = unnumbered.created_at
            RETURNING 1
          ), counted AS (
            UPDATE event_feeds SET last_id = last_id + (SELECT coalesce(max(total), 0) FROM unnumbered)
            WHERE workspace_id = ${tx}
          )
          SELECT count(*)::int AS batches FROM numbered`,
    );
    return row?.batches ?? 0;
  });
}
