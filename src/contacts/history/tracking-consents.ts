import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Contact, type TrackingConsent } from '../contact.entity.js';
import { recordChange, recordChanges } from './contact-changes.queries.js';

/** What an input says of the consent to tracking. Undefined fields do not change. */
export interface ConsentInput {
  readonly tracking_consent?: TrackingConsent | undefined;
  readonly tracking_consent_source?: string | null | undefined;
}

export async function recordNewConsent(
  scope: WorkspaceScope,
  { id, tracking_consent: consent }: Contact,
): Promise<void> {
  if (consent !== 'unknown') await recordChange(scope, 'tracking_consent', { id, from: 'unknown', to: consent });
}

/** The columns of a new contact that follow from its consent. */
export const newConsentColumns = (scope: WorkspaceScope, { tracking_consent: consent = 'unknown' }: ConsentInput) =>
  consent === 'unknown' ? {} : { tracking_consent_at: scope.clock.now() };

/**
 * Returns the columns of a contact that follow from a new consent, and records it. Locks the contact, if the input names a
 * consent. @throws NotFound
 */
export async function changedConsentColumns(
  scope: WorkspaceScope,
  id: number,
  { tracking_consent: consent, tracking_consent_source: origin = null }: ConsentInput,
) {
  if (consent === undefined) return {};
  const { tracking_consent: before } = await scope.of(Contact).lock(id);
  if (before === consent) return {};
  await recordChange(scope, 'tracking_consent', { id, from: before, to: consent });
  return { tracking_consent_at: scope.clock.now(), tracking_consent_source: origin };
}

/** What `tracking_consent_source` says if the contact has refused on the page behind the unsubscribe link. */
export const UNSUBSCRIBE_PAGE = 'unsubscribe page';

/** Sets the consent of a contact to `refused`, and records it. @returns whether it had another value */
export async function refuseTracking(scope: WorkspaceScope, contactId: number): Promise<boolean> {
  const recorded = await scope.execute(
    sql`WITH before_change AS MATERIALIZED (
          SELECT contact.id, contact.tracking_consent FROM contacts contact
          WHERE contact.workspace_id = ${scope} AND contact.id = ${contactId} AND contact.tracking_consent <> 'refused'
          FOR NO KEY UPDATE
        ), changed AS (
          UPDATE contacts contact SET tracking_consent = 'refused', tracking_consent_at = ${scope.now},
            tracking_consent_source = ${UNSUBSCRIBE_PAGE}, updated_at = ${scope.now}
          FROM before_change WHERE contact.workspace_id = ${scope} AND contact.id = before_change.id
          RETURNING contact.id AS contact_id, before_change.tracking_consent AS old_value,
            contact.tracking_consent AS new_value
        )
        ${recordChanges(scope, 'tracking_consent', sql`SELECT * FROM changed`, 'link')}`,
  );
  return recorded > 0;
}
