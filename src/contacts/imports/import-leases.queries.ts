import { isLeaseOver, LEASE_SECONDS, WORKER } from '@outreach/job-queue';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ImportOptions } from '../import/import-options.js';

export interface LeasedImport {
  readonly options: ImportOptions;
  readonly file_bytes: number;
  /** How often a worker has taken it, with this time. */
  readonly attempts: number;
  /** Whether the workspace has just had an import. */
  readonly is_next: boolean;
}

/** The condition that no live worker has leased the row `import`. */
export const isImportFree: Sql = sql`(import.lease_until IS NULL OR ${isLeaseOver(sql`import`)})`;

const LEASE_END = sql`${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})`;

/** @returns undefined if the import has ended, another worker has it, or an earlier one of the workspace has not ended */
export async function leaseImport(scope: WorkspaceScope, id: number): Promise<LeasedImport | undefined> {
  return scope.queryOne<LeasedImport & { attempts: number }>(
    sql`UPDATE imports import SET leased_by = ${WORKER}, lease_until = ${LEASE_END}, attempts = attempts + 1
        WHERE import.workspace_id = ${scope} AND import.id = ${id} AND import.status IN ('pending', 'running')
          AND ${isImportFree} AND NOT EXISTS (
            SELECT 1 FROM imports earlier WHERE earlier.workspace_id = ${scope} AND earlier.id < ${id}
              AND earlier.status IN ('pending', 'running'))
        RETURNING import.options, import.file_bytes, import.attempts, EXISTS (
          SELECT 1 FROM imports ended WHERE ended.workspace_id = ${scope}
            AND ended.completed_at > ${scope.now} - interval '2 seconds') AS is_next`,
  );
}

/**
 * Shows the progress of a leased import, and renews its lease.
 * @returns false if the import was cancelled, or is not leased by this worker any more
 */
export async function renewImport(scope: WorkspaceScope, id: number, progress: number): Promise<boolean> {
  const renewed = await scope.execute(
    sql`UPDATE imports SET status = 'running', progress = ${progress}, lease_until = ${LEASE_END},
          started_at = coalesce(started_at, ${scope.now}), updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND id = ${id} AND leased_by = ${WORKER} AND status IN ('pending', 'running')`,
  );
  return renewed > 0;
}

/** Lets any worker begin the import anew. This attempt does not count. */
export async function releaseImport(scope: WorkspaceScope, id: number): Promise<void> {
  await scope.execute(
    sql`UPDATE imports SET status = 'pending', progress = 0, leased_by = NULL, lease_until = NULL,
          attempts = attempts - 1, updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND id = ${id} AND leased_by = ${WORKER} AND status IN ('pending', 'running')`,
  );
}

/** @returns the next import of the workspace that waits for a worker */
export async function nextImport(scope: WorkspaceScope): Promise<number | undefined> {
  const [next] = await scope.query<{ id: number | null }>(
    sql`SELECT min(id) AS id FROM imports WHERE workspace_id = ${scope} AND status = 'pending'`,
  );
  return next?.id ?? undefined;
}
