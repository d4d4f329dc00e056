import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { SetStatus } from '../contact-statuses.js';
import { recordChanges } from '../history/contact-changes.queries.js';
import { lockChanged } from './import-tables.queries.js';
import { refuseAddresses, type RefusedSet, type RowRefusal } from './refusals.queries.js';

/**
 * Deletes the addresses whose contact is out and would be active again, or has complained and would get another status.
 * @returns all their rows
 */
export const refuseWaysBack = (scope: WorkspaceScope, refusal: RowRefusal): Promise<RefusedSet> =>
  refuseAddresses(
    scope,
    refusal,
    sql`SELECT input.email FROM import_contacts input
        JOIN contacts stored ON stored.workspace_id = ${scope} AND stored.email = input.email
        WHERE input.status <> stored.status
          AND (stored.status = 'complained' OR (input.status = 'active' AND stored.status <> 'active'))`,
    sql`import_rows.status`,
  );

/** Records the statuses that the import is about to change. Locks these contacts. @returns the contacts */
export async function recordChangedStatuses(scope: WorkspaceScope): Promise<SetStatus[]> {
  const changed = await lockChanged(scope, 'status', IS_SET);
  await scope.execute(recordChanges(scope, 'status', changed, 'import'));
  return scope.query<SetStatus & { id: number }>(
    sql`SELECT contact_id AS id, new_value AS status, ${scope}::bigint AS workspace_id FROM (${changed}) changed
        ORDER BY contact_id`,
  );
}

/** Whether the status of `input` becomes that of `contact`: one that became out in the meantime stays so. */
const IS_SET = sql`coalesce(input.status, 'active') <> 'active' AND contact.status <> 'complained'`;

/** The assignments of the status and its date to `contact`. The earlier date stays. */
export const statusAssignments = (scope: WorkspaceScope): Sql[] => [
  sql`status = CASE WHEN ${IS_SET} THEN input.status ELSE contact.status END`,
  sql`unsubscribed_at = CASE WHEN ${IS_SET}
        THEN coalesce(least(contact.unsubscribed_at, input.unsubscribed_at), ${dateOf(scope, sql`input.status`)})
        ELSE contact.unsubscribed_at END`,
];

/** The date of a new contact, from the columns of a file. */
export const newUnsubscriptionTime = (scope: WorkspaceScope): Sql =>
  sql`coalesce(unsubscribed_at, ${dateOf(scope, sql`status`)})`;

/** The date of a contact that has none. The address of a contact that has not unsubscribed can bounce. */
const dateOf = (scope: WorkspaceScope, status: Sql): Sql =>
  sql`CASE WHEN ${status} IN ('unsubscribed', 'complained') THEN ${scope.now} END`;
