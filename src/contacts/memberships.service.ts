import { Injectable } from '@nestjs/common';
import { sql } from '../platform/database/index.js';
import { DomainEvents } from '../platform/events/index.js';
import type { EntityClass, WorkspaceEntity, WorkspaceScope } from '../platform/tenancy/index.js';
import { contactsEvent } from './contact.events.js';
import { touchContacts } from './contacts.queries.js';
import type { Grouping } from './grouping.js';
import { addMembers, removeAllMembers, removeMembers } from './memberships.queries.js';

/** Adds contacts to one list or tag and removes them. An ID that occurs twice in a call counts twice in the result. */
@Injectable()
export class Memberships {
  constructor(private readonly events: DomainEvents) {}

  add(
    scope: WorkspaceScope,
    grouping: Grouping,
    id: number,
    contactIds: readonly number[],
  ): Promise<{ added: number; skipped: number }> {
    return scope.transaction(async (tx) => {
      const added = await addMembers(tx, grouping, [id], sql`SELECT unnest(${[...contactIds]}::bigint[])`);
      await this.publishUpdated(tx, added);
      return { added: added.length, skipped: contactIds.length - added.length };
    });
  }

  remove(
    scope: WorkspaceScope,
    grouping: Grouping,
    id: number,
    contactIds: readonly number[],
  ): Promise<{ removed: number; not_found: number }> {
    return scope.transaction(async (tx) => {
      const removed = await removeMembers(tx, grouping, id, contactIds);
      await this.publishUpdated(tx, removed);
      return { removed: removed.length, not_found: contactIds.length - removed.length };
    });
  }

  /**
   * Deletes a list or tag and publishes `contact.updated` for its contacts. Their `updated_at` stays unchanged, so that
   * their rows need no locks.
   * @throws NotFound
   */
  deleteGroup(
    scope: WorkspaceScope,
    grouping: Grouping,
    group: EntityClass<WorkspaceEntity>,
    id: number,
  ): Promise<void> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      await tx.of(group).lock(id);
      const members = await removeAllMembers(tx, grouping, id);
      await tx.of(group).delete(id);
      if (members.length > 0) await this.events.publish(tx, 'contact.updated', contactsEvent(members));
    });
  }

  /** Lists and tags are part of the contact's record, so a change of membership changes the contact. */
  private async publishUpdated(tx: WorkspaceScope, contactIds: readonly number[]): Promise<void> {
    if (contactIds.length === 0) return;
    await touchContacts(tx, contactIds);
    await this.events.publish(tx, 'contact.updated', contactsEvent(contactIds));
  }
}
