import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Grouping } from './grouping.js';

/**
 * Adds contacts to lists or tags. Memberships that exist stay unchanged.
 * @param ids the lists or tags
 * @param contacts a sub-select of contact IDs
 * @returns the contact ID of each new membership
 */
export async function addMembers(
  scope: WorkspaceScope,
  grouping: Grouping,
  ids: readonly number[],
  contacts: Sql,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const added = await scope.query<{ contact_id: number }>(insertMembers(scope, grouping, ids, contacts));
  return added.map((row) => row.contact_id);
}

/** The statement of {@link addMembers}. It returns the `contact_id` of each new membership. */
export const insertMembers = (
  scope: WorkspaceScope,
  { members, owner }: Grouping,
  ids: readonly number[],
  contacts: Sql,
): Sql =>
  sql`INSERT INTO ${sql.ref(members)} (workspace_id, ${sql.ref(owner)}, contact_id, contact_created_at, created_at)
      SELECT ${scope}, chosen.id, contact.id, contact.created_at, ${scope.now}
      FROM (SELECT DISTINCT unnest(${[...ids]}::bigint[]) AS id) chosen
      CROSS JOIN contacts contact
      WHERE contact.workspace_id = ${scope} AND ${sql.among(sql`contact.id`, contacts)}
      ORDER BY chosen.id, contact.id
      ON CONFLICT (workspace_id, contact_id, ${sql.ref(owner)}) DO NOTHING
      RETURNING contact_id`;

/** Removes contacts from a list or tag. @returns the IDs of those that were members */
export async function removeMembers(
  scope: WorkspaceScope,
  { members, owner }: Grouping,
  id: number,
  contactIds: readonly number[],
): Promise<number[]> {
  const removed = await scope.query<{ contact_id: number }>(
    sql`DELETE FROM ${sql.ref(members)}
        WHERE workspace_id = ${scope} AND ${sql.ref(owner)} = ${id} AND contact_id = ANY(${[...contactIds]}::bigint[])
        RETURNING contact_id`,
  );
  return removed.map((row) => row.contact_id);
}

/** Removes all contacts from a list or tag. @returns their IDs */
export async function removeAllMembers(
  scope: WorkspaceScope,
  { members, owner }: Grouping,
  id: number,
): Promise<number[]> {
  const [removed] = await scope.query<{ contact_ids: number[] }>(
    sql`WITH removed AS (
          DELETE FROM ${sql.ref(members)} WHERE workspace_id = ${scope} AND ${sql.ref(owner)} = ${id} RETURNING contact_id
        )
        SELECT coalesce(array_agg(contact_id), '{}') AS contact_ids FROM removed`,
  );
  return removed?.contact_ids ?? [];
}

/** Makes a contact a member of exactly these lists or tags. */
export async function replaceMemberships(
  scope: WorkspaceScope,
  grouping: Grouping,
  contactId: number,
  ids: readonly number[],
): Promise<void> {
  await scope.execute(
    sql`DELETE FROM ${sql.ref(grouping.members)}
        WHERE workspace_id = ${scope} AND contact_id = ${contactId}
          AND NOT (${sql.ref(grouping.owner)} = ANY(${[...ids]}::bigint[]))`,
  );
  await addMembers(scope, grouping, ids, sql`SELECT ${contactId}::bigint`);
}
