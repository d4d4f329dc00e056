import { Injectable } from '@nestjs/common';
import type { Sql } from '../platform/database/index.js';
import { RuleViolated } from '../platform/errors/index.js';
import { DomainEvents } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { transitionContacts, type StatusTransition } from './contact-statuses.queries.js';
import { Contact, type ContactStatus } from './contact.entity.js';
import { contactsEvent } from './contact.events.js';

/** A bounce or a complaint is no decision that a client can take back. */
export class NotResubscribable extends RuleViolated {
  constructor(status: ContactStatus) {
    super(`A contact that is ${status} cannot be resubscribed.`);
  }
}

/**
 * The moves of a contact's status (API v1, "Contact status"). All of them are idempotent and take any number of
 * contacts, as a sub-select of their IDs; each tells of those whose status has changed, in the same transaction.
 */
@Injectable()
export class ContactStatuses {
  constructor(private readonly events: DomainEvents) {}

  /**
   * Whatever they were, they are not written to any more.
   * @param through a sub-select of the IDs of the messages through which they unsubscribed
   * @returns the IDs of those who were not unsubscribed before
   */
  unsubscribe(scope: WorkspaceScope, contacts: Sql, through?: Sql): Promise<readonly number[]> {
    return scope.transaction(async (tx) => {
      const updated = await this.transition(tx, contacts, { to: 'unsubscribed', unless: ['unsubscribed'] });
      if (updated.length > 0)
        await this.events.publish(tx, 'contact.unsubscribed', { ...contactsEvent(updated), through });
      return updated;
    });
  }

  /** Their address is dead. Who has complained stays `complained`. @returns the IDs of those who moved */
  markBounced(scope: WorkspaceScope, contacts: Sql): Promise<readonly number[]> {
    return scope.transaction((tx) =>
      this.transition(tx, contacts, { to: 'bounced', unless: ['bounced', 'complained'] }),
    );
  }

  /** They have reported a message as spam. @returns the IDs of those who moved */
  markComplained(scope: WorkspaceScope, contacts: Sql): Promise<readonly number[]> {
    return scope.transaction((tx) => this.transition(tx, contacts, { to: 'complained', unless: ['complained'] }));
  }

  /** An active contact stays as it is. @throws NotFound, NotResubscribable */
  resubscribe(scope: WorkspaceScope, id: number): Promise<void> {
    return scope.transaction(async (tx) => {
      const { status } = await tx.of(Contact).lock(id);
      if (status === 'active') return;
      if (status !== 'unsubscribed') throw new NotResubscribable(status);
      await tx.of(Contact).update(id, { status: 'active', unsubscribed_at: null });
      await this.events.publish(tx, 'contact.updated', contactsEvent([id]));
    });
  }

  private async transition(
    tx: WorkspaceScope,
    contacts: Sql,
    transition: StatusTransition,
  ): Promise<readonly number[]> {
    const updated = await transitionContacts(tx, contacts, transition);
    if (updated.length > 0) await this.events.publish(tx, 'contact.updated', contactsEvent(updated));
    return updated;
  }
}
