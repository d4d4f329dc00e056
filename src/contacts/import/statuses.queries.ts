import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { SetStatus } from '../contact-statuses.js';
import { recordChanges } from '../history/contact-changes.queries.js';
import { refuseAddresses, type RefusedSet, type RowRefusal } from './refusals.queries.js';

/**
 * Deletes the addresses whose contact is out and would be active again, or has complained and would get another status.
 * @returns all their rows
 */
export const refuseWaysBack = (scope: WorkspaceScope, refusal: RowRefusal): Promise<RefusedSet> =>
  refuseAddresses(
    scope,
    refusal,
    sql`EXISTS (SELECT 1 FROM contacts stored WHERE stored.workspace_id = ${scope} AND stored.email = input.email
          AND input.status <> stored.status
          AND (stored.status = 'complained' OR (input.status = 'active' AND stored.status <> 'active')))`,
    sql`import_rows.status`,
  );

/** Records the statuses that the import is about to change. Locks these contacts. @returns the contacts */
export const recordChangedStatuses = (scope: WorkspaceScope): Promise<SetStatus[]> =>
  scope.query<SetStatus & { id: number }>(
    sql`WITH changed AS MATERIALIZED (
          SELECT contact.id AS contact_id, contact.status AS old_value, input.status AS new_value
          FROM import_contacts input
          JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.email = input.email
          WHERE ${IS_SET} AND input.status <> contact.status
            AND NOT EXISTS (SELECT 1 FROM import_results result WHERE result.contact_id = contact.id)
          ORDER BY contact.id FOR NO KEY UPDATE OF contact
        ), recorded AS (${recordChanges(scope, 'status', sql`SELECT * FROM changed`, 'import')})
        SELECT contact_id AS id, new_value AS status FROM changed ORDER BY contact_id`,
  );

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
