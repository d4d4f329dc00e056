import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** How many changes one batch examines: a bounded number of index lookups for each list and condition. */
const BATCH_SIZE = 1_000;

/** How many rows one statement deletes without examining their contacts. */
const DELETE_SIZE = 10_000;

/** Changes that wait, and that the same campaigns have examined. */
export interface ChangedBatch {
  readonly ids: readonly number[];
  readonly contactIds: readonly number[];
  /** The campaigns up to this ID have examined them. */
  readonly examinedCampaignId: number;
  /** The last change of the batch for the next call; undefined if no others wait. */
  readonly next: number | undefined;
}

/**
 * Reads the next changes, in the order of their IDs. What is examined after this statement is at least as new as they are.
 * @param after the last ID of the batch before: it spares reading the deleted rows before it again
 * @returns undefined if no changes wait
 */
export async function nextChanges(scope: WorkspaceScope, after: number): Promise<ChangedBatch | undefined> {
  const rows = await scope.query<{ id: number; contact_id: number; examined_campaign_id: number }>(
    sql`SELECT id, contact_id, examined_campaign_id FROM changed_contacts
        WHERE workspace_id = ${scope} AND id > ${after} AND contact_id IS NOT NULL ORDER BY id LIMIT ${BATCH_SIZE}`,
  );
  const [first] = rows;
  if (!first) return undefined;
  const batch = rows.filter((row) => row.examined_campaign_id === first.examined_campaign_id);
  const isWhole = batch.length === rows.length;
  const last = isWhole ? rows.at(-1)?.id : after;
  return {
    ids: batch.map(({ id }) => id),
    contactIds: [...new Set(batch.map(({ contact_id: id }) => id))],
    examinedCampaignId: first.examined_campaign_id,
    next: isWhole && rows.length < BATCH_SIZE ? undefined : last,
  };
}

/** SELECT of those of the changes that no other worker is writing. */
const unlocked = (scope: WorkspaceScope, ids: readonly number[]): Sql =>
  sql`SELECT change.id FROM changed_contacts change
      WHERE change.workspace_id = ${scope} AND change.id = ANY(${[...ids]}::bigint[])
      ORDER BY change.id FOR UPDATE SKIP LOCKED`;

/** Stores that the campaigns up to this ID have examined changes. Those that another worker is writing are left to it. */
export async function noteExamined(scope: WorkspaceScope, ids: readonly number[], campaignId: number): Promise<void> {
  await scope.execute(
    sql`UPDATE changed_contacts SET examined_campaign_id = greatest(examined_campaign_id, ${campaignId}::bigint)
        WHERE workspace_id = ${scope} AND ${sql.among(sql`id`, unlocked(scope, ids))}`,
  );
}

/** Deletes changes that all campaigns have examined. Those that another worker is writing are left to it. */
export async function deleteChanges(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
  await scope.execute(
    sql`DELETE FROM changed_contacts WHERE workspace_id = ${scope} AND ${sql.among(sql`id`, unlocked(scope, ids))}`,
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
