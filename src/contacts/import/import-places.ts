import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** How many imports run at the same time in all processes on one database, whose disk and processors they share. */
export const MAX_CONCURRENT_IMPORTS = 3;

const MAX_POLL_MS = 500;
const MIN_POLL_MS = 100;

/** After this time of waiting for a place, an import polls at the shortest interval. */
const SHORTEST_AFTER_MS = 10_000;

/** Why an import cannot start yet: its workspace has another import, or other workspaces have all places. */
type Obstacle = 'workspace' | 'places';

/** Rolls back the transaction of an attempt. */
class NoPlace extends Error {
  constructor(readonly obstacle: Obstacle) {
    super(`no place for an import: ${obstacle}`);
  }
}

/**
 * Runs an import in a transaction when no other import of the workspace is running and a place is free, in all processes.
 * While it waits it has no connection. It polls, and the longer it has waited for a place the more often, so that a place
 * does not go to a workspace that has just had one.
 * @param isNext whether the workspace has waited in this process for its previous import
 * @param signal ends the waiting with its reason
 */
export async function inImportPlace<R>(
  scope: WorkspaceScope,
  isNext: boolean,
  work: (tx: WorkspaceScope) => Promise<R>,
  signal: AbortSignal,
): Promise<R> {
  let since = performance.now();
  if (isNext) await sleep(pollDelay(0, Math.random()));
  for (;;) {
    signal.throwIfAborted();
    try {
      return await scope.transaction(async (tx) => {
        await takePlace(tx);
        return work(tx);
      });
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error;
      if (error.obstacle === 'workspace') since = performance.now();
    }
    await sleep(pollDelay(performance.now() - since, Math.random()));
  }
}

/** @param random from 0 to 1 @returns milliseconds until the next poll of an import that has waited for a place */
export function pollDelay(waitedMs: number, random: number): number {
  const share = Math.min(waitedMs / SHORTEST_AFTER_MS, 1);
  return (MAX_POLL_MS - share * (MAX_POLL_MS - MIN_POLL_MS)) * (0.5 + random);
}

/**
 * Takes the lock of the workspace and that of a place until the transaction ends. PostgreSQL releases them if the process
 * dies. Two imports of a workspace that update the same contacts could lock them in different orders.
 * @throws NoPlace
 */
async function takePlace(tx: WorkspaceScope): Promise<void> {
  const [row] = await tx.query<{ obstacle: Obstacle | null }>(
    sql`SELECT CASE
          WHEN NOT pg_try_advisory_xact_lock(hashtextextended('contact_import', ${tx})) THEN 'workspace'
          WHEN NOT EXISTS (
            SELECT 1 FROM generate_series(1, ${MAX_CONCURRENT_IMPORTS}::int) place
            WHERE pg_try_advisory_xact_lock(hashtextextended('contact_import_place', place))) THEN 'places'
        END AS obstacle`,
  );
  if (row?.obstacle) throw new NoPlace(row.obstacle);
}
