import { WORKER } from '@outreach/job-queue';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ImportOutcome } from '../import/contact-import.service.js';
import { Import } from './import.entity.js';
import { ImportTaken } from './import.errors.js';
import { limitRefused, storeRefused } from './refused-rows.queries.js';
import { deleteFile } from './stored-file.queries.js';

/** The columns of an import that has ended: it needs neither its options nor a worker. */
const ENDED = sql`options = NULL, file_bytes = 0, leased_by = NULL, lease_until = NULL`;

const isOpen = sql`status IN ('pending', 'running')`;

const resultOf = (tx: WorkspaceScope, { summary, refused }: ImportOutcome) => ({
  status: 'completed' as const,
  progress: 1,
  ...summary,
  completed_at: tx.clock.now(),
  refused_header: refused.header,
  refused_bytes: refused.length,
});

/** Stores the result of an import that its request has waited for. @returns its ID */
export async function recordImport(
  tx: WorkspaceScope,
  file: { readonly file_name: string | null; readonly dry_run: boolean },
  outcome: ImportOutcome,
): Promise<number> {
  const { id } = await tx.of(Import).insert({ ...file, started_at: tx.now, ...resultOf(tx, outcome) });
  await storeAllRefused(tx, id, outcome);
  return id;
}

/**
 * Stores the result of an import that a worker has leased, in the transaction of the import.
 * @throws ImportTaken if it was cancelled, or its lease has ended
 */
export async function completeImport(tx: WorkspaceScope, id: number, outcome: ImportOutcome): Promise<void> {
  await storeAllRefused(tx, id, outcome);
  await deleteFile(tx, id);
  const result = resultOf(tx, outcome);
  // Last, because a cancellation waits for this lock.
  const completed = await tx.execute(
    sql`UPDATE imports SET status = ${result.status}, progress = ${result.progress}, total = ${result.total},
          imported = ${result.imported}, updated = ${result.updated}, skipped = ${result.skipped},
          failed = ${result.failed}, errors = ${JSON.stringify(result.errors)}::jsonb,
          completed_at = ${result.completed_at}, refused_header = ${result.refused_header},
          refused_bytes = ${result.refused_bytes}, started_at = coalesce(started_at, ${tx.now}), updated_at = ${tx.now}, ${ENDED}
        WHERE workspace_id = ${tx} AND id = ${id} AND leased_by = ${WORKER} AND ${isOpen}`,
  );
  if (completed === 0) throw new ImportTaken();
}

/** Ends an import that this worker has leased, with the reason why it failed as a whole. */
export async function failImport(scope: WorkspaceScope, id: number, reason: string): Promise<void> {
  await endImport(scope, id, sql`status = 'failed', reason = ${reason}`, sql`leased_by = ${WORKER} AND ${isOpen}`);
}

/** @returns whether it was waiting or running */
export const cancelImport = (scope: WorkspaceScope, id: number): Promise<boolean> =>
  endImport(scope, id, sql`status = 'cancelled'`, isOpen);

const endImport = (scope: WorkspaceScope, id: number, changes: Sql, condition: Sql): Promise<boolean> =>
  scope.transaction(async (tx) => {
    const ended = await tx.execute(
      sql`UPDATE imports SET ${changes}, completed_at = ${tx.clock.now()}, updated_at = ${tx.now}, ${ENDED}
          WHERE workspace_id = ${tx} AND id = ${id} AND ${condition}`,
    );
    if (ended > 0) await deleteFile(tx, id);
    return ended > 0;
  });

async function storeAllRefused(tx: WorkspaceScope, id: number, { refused, summary }: ImportOutcome): Promise<void> {
  if (summary.failed === 0) return;
  await storeRefused(tx, id, refused);
  await limitRefused(tx);
}
