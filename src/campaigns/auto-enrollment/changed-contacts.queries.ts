import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** How many changes one batch examines: a bounded number of index lookups for each list and condition. */
const BATCH_SIZE = 1_000;

/** How many rows one statement deletes without examining their contacts. */
const DELETE_SIZE = 10_000;

/** Changes that wait. */
export interface ChangedBatch {
  readonly ids: readonly number[];
  readonly contactIds: readonly number[];
  readonly isLast: boolean;
}

/**
 * Reads the next changes, in the order of their IDs. What is examined after this statement is at least as new as they are.
 * @param after the last ID of the batch before: it spares reading the deleted rows before it again
 */
export async function nextChanges(scope: WorkspaceScope, after: number): Promise<ChangedBatch> {
  const rows = await scope.query<{ id: number; contact_id: number }>(
    sql`SELECT id, contact_id FROM changed_contacts
        WHERE workspace_id = ${scope} AND id > ${after} AND contact_id IS NOT NULL ORDER BY id LIMIT ${BATCH_SIZE}`,
  );
  return {
    ids: rows.map(({ id }) => id),
    contactIds: [...new Set(rows.map(({ contact_id: id }) => id))],
    isLast: rows.length < BATCH_SIZE,
  };
}

/** Deletes changes that were examined. Those that another worker is deleting are left to it. */
export async function deleteChanges(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
  await scope.execute(
    sql`DELETE FROM changed_contacts WHERE workspace_id = ${scope} AND id IN (
          SELECT change.id FROM changed_contacts change
          WHERE change.workspace_id = ${scope} AND change.id = ANY(${[...ids]}::bigint[])
          ORDER BY change.id FOR UPDATE SKIP LOCKED)`,
  );
}

/** @returns the last ID of the changes that are too many to be examined one by one; undefined if they are not */
export async function lastOverflow(scope: WorkspaceScope): Promise<number | undefined> {
  const [row] = await scope.query<{ id: number | null }>(
    sql`SELECT max(id) AS id FROM changed_contacts WHERE workspace_id = ${scope} AND contact_id IS NULL`,
  );
  return row?.id ?? undefined;
}

/** Deletes the next changes up to this ID. @returns whether some are left */
export async function discardChanges(scope: WorkspaceScope, lastId: number): Promise<boolean> {
  const deleted = await scope.execute(
    sql`WITH next AS MATERIALIZED (
          SELECT change.id FROM changed_contacts change
          WHERE change.workspace_id = ${scope} AND change.id <= ${lastId}
          ORDER BY change.id LIMIT ${DELETE_SIZE} FOR UPDATE SKIP LOCKED
        )
        DELETE FROM changed_contacts WHERE workspace_id = ${scope} AND id IN (SELECT next.id FROM next)`,
  );
  return deleted === DELETE_SIZE;
}
