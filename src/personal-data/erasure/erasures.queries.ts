import { currentTransaction } from '@outreach/database';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { SearchCursor } from './search-cursor.js';

/** After this time hardly any transaction that began before the erasure is still writing: the last search comes then. */
const LAST_SEARCH_SECONDS = 60;

/** Stores what a worker searches for: now if something is left, else once more after a minute. */
export async function storeSubject(
  tx: WorkspaceScope,
  { id, encrypted, isComplete }: { readonly id: number; readonly encrypted: string; readonly isComplete: boolean },
): Promise<void> {
  await tx.execute(
    sql`UPDATE erasures SET subject_encrypted = ${encrypted}, is_last_search = ${isComplete}, requested_at = ${sql.realNow},
          horizon = ${currentTransaction},
          next_run_at = ${sql.realNow} + make_interval(secs => ${isComplete ? LAST_SEARCH_SECONDS : 0})
        WHERE workspace_id = ${tx} AND id = ${id}`,
  );
}

/** Stores where a search goes on, which it does at once. */
export async function continueSearch(scope: WorkspaceScope, id: number, cursor: SearchCursor): Promise<void> {
  await scope.execute(
    sql`UPDATE erasures SET search_cursor = ${JSON.stringify(cursor)}::jsonb, next_run_at = ${sql.realNow}
        WHERE workspace_id = ${scope} AND id = ${id} AND completed_at IS NULL`,
  );
}

/**
 * Ends an erasure of which a search has found everything, if it was the last search; else has it searched once more after a
 * minute.
 */
export async function endSearch(scope: WorkspaceScope, id: number, isLast: boolean): Promise<void> {
  const changes = isLast
    ? sql`completed_at = ${sql.realNow}, subject_encrypted = NULL`
    : sql`is_last_search = TRUE, horizon = ${currentTransaction},
      next_run_at = ${sql.realNow} + make_interval(secs => ${LAST_SEARCH_SECONDS})`;
  await scope.execute(
    sql`UPDATE erasures SET ${changes}, search_cursor = NULL, updated_at = ${sql.realNow}
        WHERE workspace_id = ${scope} AND id = ${id} AND completed_at IS NULL`,
  );
}
