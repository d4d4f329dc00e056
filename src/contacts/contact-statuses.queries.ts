import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { ContactStatus } from './contact.entity.js';
import type { ChangeSource } from './history/contact-change.entity.js';
import { changeStatus } from './history/contact-changes.queries.js';

/** A change of status: the new status, and the statuses whose contacts it leaves unchanged. */
export interface StatusTransition {
  readonly to: ContactStatus;
  readonly unless: readonly ContactStatus[];
  readonly source: ChangeSource;
}

/** @param contacts a sub-select of contact IDs @returns the IDs of the contacts whose status changed */
export function transitionContacts(
  scope: WorkspaceScope,
  contacts: Sql,
  transition: StatusTransition,
): Promise<number[]> {
  const dated =
    transition.to === 'complained'
      ? sql`, unsubscribed_at = coalesce(contact.unsubscribed_at, ${scope.now})`
      : sql.empty;
  return changeStatus(scope, {
    which: sql`${sql.among(sql`contact.id`, contacts)} AND NOT (contact.status = ANY(${[...transition.unless]}))`,
    set: sql`status = ${transition.to}, updated_at = ${scope.now}${dated}`,
    source: transition.source,
  });
}

/**
 * Sets contacts to `unsubscribed`, with the date of the first time. Unless `complained` changes too, a contact with that
 * status keeps it, and gets the date if it has none.
 * @param contacts a sub-select of contact IDs @returns the IDs of the changed contacts
 */
export function unsubscribeContacts(
  scope: WorkspaceScope,
  contacts: Sql,
  { complained, source }: { readonly complained: 'changes' | 'stays'; readonly source: ChangeSource },
): Promise<number[]> {
  const isUnchanged = complained === 'stays' ? sql`contact.status = 'complained'` : sql`FALSE`;
  return changeStatus(scope, {
    which: sql`${sql.among(sql`contact.id`, contacts)} AND contact.status <> 'unsubscribed'
      AND NOT (${isUnchanged} AND contact.unsubscribed_at IS NOT NULL)`,
    set: sql`updated_at = ${scope.now}, unsubscribed_at = coalesce(contact.unsubscribed_at, ${scope.now}),
      status = CASE WHEN ${isUnchanged} THEN contact.status ELSE 'unsubscribed' END`,
    source,
  });
}

/** Sets a contact to `active`, at the request of a client. */
export async function resubscribeContact(scope: WorkspaceScope, id: number): Promise<void> {
  await changeStatus(scope, {
    which: sql`contact.id = ${id}`,
    set: sql`status = 'active', unsubscribed_at = NULL, updated_at = ${scope.now}`,
    source: 'api',
  });
}

/** Locks the contact with this address. @returns its ID; undefined if there is none */
export async function lockContactOf(scope: WorkspaceScope, email: string): Promise<number | undefined> {
  const [contact] = await scope.query<{ id: number }>(
    sql`SELECT id FROM contacts WHERE workspace_id = ${scope} AND email = ${email} FOR NO KEY UPDATE`,
  );
  return contact?.id;
}
