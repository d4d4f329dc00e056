import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { ContactStatus } from './contact.entity.js';

/** A change of status: the new status, and the statuses whose contacts it leaves unchanged. */
export interface StatusTransition {
  readonly to: ContactStatus;
  readonly unless: readonly ContactStatus[];
}

/** @param contacts a sub-select of contact IDs @returns the IDs of the contacts whose status changed */
export async function transitionContacts(
  scope: WorkspaceScope,
  contacts: Sql,
  transition: StatusTransition,
): Promise<number[]> {
  const dated =
    transition.to === 'complained' ? sql`, unsubscribed_at = coalesce(unsubscribed_at, ${scope.now})` : sql.empty;
  const updated = await scope.query<{ id: number }>(
    sql`UPDATE contacts SET status = ${transition.to}, updated_at = ${scope.now}${dated}
        WHERE workspace_id = ${scope} AND id IN (${contacts}) AND NOT (status = ANY(${[...transition.unless]}))
        RETURNING id`,
  );
  return updated.map((row) => row.id);
}

/**
 * Sets contacts to `unsubscribed`, with the date of the first time. Unless `complained` changes too, a contact with that
 * status keeps it, and gets the date if it has none.
 * @param contacts a sub-select of contact IDs @returns the IDs of the changed contacts
 */
export async function unsubscribeContacts(
  scope: WorkspaceScope,
  contacts: Sql,
  complained: 'changes' | 'stays',
): Promise<number[]> {
  const isUnchanged = complained === 'stays' ? sql`status = 'complained'` : sql`FALSE`;
  const updated = await scope.query<{ id: number }>(
    sql`UPDATE contacts SET updated_at = ${scope.now}, unsubscribed_at = coalesce(unsubscribed_at, ${scope.now}),
          status = CASE WHEN ${isUnchanged} THEN status ELSE 'unsubscribed' END
        WHERE workspace_id = ${scope} AND id IN (${contacts})
          AND status <> 'unsubscribed' AND NOT (${isUnchanged} AND unsubscribed_at IS NOT NULL)
        RETURNING id`,
  );
  return updated.map((row) => row.id);
}

/** Locks the contact with this address. @returns its ID; undefined if there is none */
export async function lockContactOf(scope: WorkspaceScope, email: string): Promise<number | undefined> {
  const [contact] = await scope.query<{ id: number }>(
    sql`SELECT id FROM contacts WHERE workspace_id = ${scope} AND email = ${email} FOR NO KEY UPDATE`,
  );
  return contact?.id;
}
