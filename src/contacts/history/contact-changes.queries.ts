import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ChangedField, ChangeSource } from './contact-change.entity.js';

/** Inserts changes of a field. @param changed selects `contact_id`, `old_value` and `new_value` */
export const recordChanges = (scope: WorkspaceScope, field: ChangedField, changed: Sql, source: ChangeSource): Sql =>
  sql`INSERT INTO contact_changes (workspace_id, contact_id, field, old_value, new_value, source, created_at)
      SELECT ${scope}, contact_id, ${field}, old_value, new_value, ${source}, ${scope.now}
      FROM (${changed}) change ORDER BY contact_id`;

export interface OneChange {
  readonly id: number;
  readonly from: string;
  readonly to: string;
}

export async function recordChange(
  scope: WorkspaceScope,
  field: ChangedField,
  { id, from, to }: OneChange,
): Promise<void> {
  const changed = sql`SELECT ${id}::bigint AS contact_id, ${from}::text AS old_value, ${to}::text AS new_value`;
  await scope.execute(recordChanges(scope, field, changed, 'api'));
}

/**
 * Changes the status of contacts and records each change. Locks the contacts first, in the order of their IDs, because only
 * that gives their status before the change.
 * @param which a condition on `contact` @param set assignments to columns of contacts, that of the status among them
 * @returns the IDs of the contacts that were updated
 */
export async function changeStatus(
  scope: WorkspaceScope,
  { which, set, source }: { readonly which: Sql; readonly set: Sql; readonly source: ChangeSource },
): Promise<number[]> {
  const changed = {
    name: 'changed',
    with: sql`before_change AS MATERIALIZED (
        SELECT contact.id, contact.status FROM contacts contact WHERE contact.workspace_id = ${scope} AND (${which})
        ORDER BY contact.id FOR NO KEY UPDATE
      )`,
    statement: sql`UPDATE contacts contact SET ${set} FROM before_change
      WHERE contact.workspace_id = ${scope} AND contact.id = before_change.id
        AND contact.id = ANY (ARRAY(SELECT id FROM before_change))
      RETURNING contact.id, before_change.status AS old_status, contact.status AS new_status`,
    columns: sql`id bigint, old_status text, new_status text`,
  };
  const difference = sql`SELECT id AS contact_id, old_status AS old_value, new_status AS new_value FROM changed
    WHERE old_status <> new_status`;
  const recorded = { name: 'recorded', statement: recordChanges(scope, 'status', difference, source) };
  const rows = await scope.inParts<{ id: number }>([changed, recorded], sql`SELECT id FROM changed`);
  return rows.map(({ id }) => id);
}
