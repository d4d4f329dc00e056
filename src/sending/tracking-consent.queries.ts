import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/**
 * Whether opens and clicks of a contact may be measured (API v1, "Tracking consent"), by its consent, the setting
 * `tracking_consent_required` of the workspace and, if that is `auto`, its time zone and country. The setting is read once
 * for each statement.
 * @param contact the alias of a row of contacts
 */
export const mayTrackContact = (scope: WorkspaceScope, contact: string): Sql => {
  const row = sql.ref(contact);
  return sql`(${row}.tracking_consent = 'granted' OR ${row}.tracking_consent = 'unknown' AND CASE (
        SELECT CASE WHEN NOT tracking_consent_required THEN 'no contact' WHEN tracking_consent_by_place THEN 'by place'
          ELSE 'everybody' END FROM workspaces WHERE id = ${scope})
        WHEN 'no contact' THEN TRUE WHEN 'by place' THEN NOT lies_where_consent_is_needed(${row}.timezone, ${row}.custom_fields)
        ELSE FALSE END)`;
};

/** Returns those of the messages whose recipients may be measured. */
export async function trackedMessages(scope: WorkspaceScope, ids: readonly number[]): Promise<number[]> {
  return scope.queryIds(
    sql`SELECT message.id FROM all_messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND ${mayTrackContact(scope, 'contact')}`,
  );
}
