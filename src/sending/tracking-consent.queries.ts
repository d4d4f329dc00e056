import type { TrackingConsent } from '../contacts/index.js';
import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/**
 * Whether opens and clicks of a contact may be measured (API v1, "Tracking consent").
 * @param isRequired the setting `tracking_consent_required` of the workspace
 */
export const mayTrack = (consent: TrackingConsent, isRequired: boolean): boolean =>
  consent === 'granted' || (consent === 'unknown' && !isRequired);

/** {@link mayTrack} as SQL. @param contact the alias of a row of contacts */
export const mayTrackContact = (scope: WorkspaceScope, contact: string): Sql =>
  sql`(${sql.ref(contact)}.tracking_consent = 'granted' OR ${sql.ref(contact)}.tracking_consent = 'unknown' AND NOT (
        SELECT tracking_consent_required FROM workspaces WHERE id = ${scope}))`;

/** Returns those of the messages whose recipients may be measured. */
export async function trackedMessages(scope: WorkspaceScope, ids: readonly number[]): Promise<number[]> {
  const rows = await scope.query<{ id: number }>(
    sql`SELECT message.id FROM all_messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND ${mayTrackContact(scope, 'contact')}`,
  );
  return rows.map(({ id }) => id);
}
